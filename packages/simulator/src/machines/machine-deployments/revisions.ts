import type { capi, JsonObject } from '@windlass/api'
import { mergePatchBetween, setControllerReference } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import { canonicalJson, hash32 } from '../../identity/index.ts'
import { Annotation, Label } from '../wire.ts'

/** The MachineSets of a MachineDeployment. */
export interface Revisions {
  /** That of the present template, once there is one. */
  readonly current: capi.MachineSet | undefined
  /** All others, oldest first. */
  readonly old: readonly capi.MachineSet[]
}

export function revisionsOf(deployment: capi.MachineDeployment, sets: readonly capi.MachineSet[]): Revisions {
  const hash = templateHashOf(deployment)
  const isCurrent = ({ metadata }: capi.MachineSet): boolean => metadata.labels?.[Label.templateHash] === hash
  return { current: sets.find(isCurrent), old: sets.filter((set) => !isCurrent(set)).toSorted(byAge) }
}

/** What a change of makes machines anew. Labels, annotations and time limits are written onto machines that are there. */
export function templateHashOf({ spec }: capi.MachineDeployment): string {
  const { nodeDrainTimeout: _, nodeVolumeDetachTimeout: _detach, nodeDeletionTimeout: _deletion, ...made } = spec.template.spec ?? {}
  return String(hash32(canonicalJson(made)))
}

export function newMachineSet(deployment: capi.MachineDeployment, replicas: number): Draft<capi.MachineSet> {
  const { metadata, spec } = deployment
  const hash = templateHashOf(deployment)
  const labels = { ...spec.template.metadata?.labels, [Label.templateHash]: hash, [Label.deploymentName]: metadata.name ?? '' }
  return setControllerReference(
    {
      metadata: {
        name: `${metadata.name ?? ''}-${hash}`,
        namespace: metadata.namespace ?? '',
        labels: { ...metadata.labels, ...labels },
        annotations: handedDown(deployment),
      },
      spec: {
        clusterName: spec.clusterName,
        replicas,
        selector: { matchLabels: { ...spec.selector.matchLabels, [Label.templateHash]: hash } },
        template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
        ...(spec.minReadySeconds === undefined ? {} : { minReadySeconds: spec.minReadySeconds }),
      },
    },
    deployment,
  )
}

/** What the newest MachineSet has to be told that makes no machine anew; undefined when it knows. */
export function handedDownPatch(deployment: capi.MachineDeployment, current: capi.MachineSet): JsonObject | undefined {
  const draft = newMachineSet(deployment, 0)
  const after = {
    ...current,
    metadata: { ...current.metadata, ...merged('annotations', current.metadata.annotations, draft.metadata.annotations) },
    spec: {
      ...current.spec,
      template: {
        ...current.spec.template,
        metadata: {
          ...merged('labels', current.spec.template?.metadata?.labels, draft.spec.template?.metadata?.labels),
          ...merged('annotations', current.spec.template?.metadata?.annotations, draft.spec.template?.metadata?.annotations),
        },
        spec: draft.spec.template?.spec,
      },
    },
  }
  return mergePatchBetween(current, after)
}

type Texts = Readonly<Record<string, string>>

/** What there was and what comes to it; nothing at all when there is neither: servers do not keep what is empty. */
function merged(field: string, before: Texts | undefined, more: Texts = {}): Readonly<Record<string, Texts>> {
  return before === undefined && Object.keys(more).length === 0 ? {} : { [field]: { ...before, ...more } }
}

function handedDown({ metadata: { annotations = {} } }: capi.MachineDeployment): Readonly<Record<string, string>> {
  const { [Annotation.paused]: _, 'kubectl.kubernetes.io/last-applied-configuration': _applied, ...rest } = annotations
  return rest
}

function byAge(a: capi.MachineSet, b: capi.MachineSet): number {
  const [first, second] = [a, b].map(({ metadata: { creationTimestamp = '', name = '' } }) => `${creationTimestamp} ${name}`)
  return (first ?? '') < (second ?? '') ? -1 : 1
}
