import type { capi, HostedCluster, NodePool } from '@windlass/api'
import { type Action, create, equalJson, patch, refOf, remove } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import { canonicalJson } from '../../components/hash.ts'
import { hashOfBytes } from '../hash.ts'
import { templateName } from '../names.ts'
import type { Seen } from '../seen.ts'
import { Annotation, PoolAnnotation } from '../wire.ts'
import { adoptedTemplate, referencedTemplate } from './adopted-template.ts'
import { awsMachine, resourceTags } from './aws.ts'
import { kubevirtMachine } from './kubevirt.ts'
import type { Made, Making } from './making.ts'
import { azureMachine } from './azure.ts'
import { agentMachine, powervsMachine } from './other-platforms.ts'
import { kindOfTemplate, type MachineTemplate, type TemplateKind, templateKinds } from './template.ts'

interface Row {
  readonly make: (making: Making) => Made
  /** What may change without new machines: the name of a field of the spec, and what it is to be. It does not count for the name of the template. */
  readonly mutable?: { readonly field: string; readonly of: (pool: NodePool, cluster: HostedCluster) => Texts }
}

type Texts = Readonly<Record<string, string>>
type MachineSpec = Readonly<Record<string, unknown>>

/** By platform. */
const rows: Readonly<Record<string, Row>> = {
  AWS: { make: awsMachine, mutable: { field: 'additionalTags', of: resourceTags } },
  Azure: { make: azureMachine },
  KubeVirt: { make: kubevirtMachine },
  Agent: { make: agentMachine },
  PowerVS: { make: powervsMachine },
}

/** The template that machines of the pool are to be made from. */
export interface TargetTemplate {
  readonly kind: TemplateKind
  readonly name: string
  readonly draft: Draft<MachineTemplate>
  /** As it is, if it is there. */
  readonly live: MachineTemplate | undefined
}

export type TemplateOutcome = TargetTemplate | { readonly problem: string } | { readonly waitingFor: string }

/**
 * The template: new contents get a new name, and none is ever changed in a way that makes machines anew.
 *
 * One that is in use and says the same keeps its name, whoever has given it; and one that a pool was adopted with stays as long as the pool asks for nothing
 * else, whatever it says.
 */
export function targetTemplate(seen: Seen): TemplateOutcome {
  const { pool, cluster, name: poolName, templates } = seen
  const { type } = pool.spec.platform
  const [row, kind] = [rows[type], templateKinds[type]]
  if (row === undefined || kind === undefined)
    return { problem: `machines cannot be made on platform ${type}: use one of ${Object.keys(rows).join(', ')}` }
  const ofKind = templates.filter((template) => template.kind === kind.kind)
  const adopted = adoptedTemplate(seen)
  if (adopted !== undefined) {
    const { field, of } = row.mutable ?? {}
    const spec = { ...adopted.spec.template.spec, ...(field === undefined ? {} : { [field]: of?.(pool, cluster) }) }
    return named(seen, kind, adopted.metadata.name ?? '', spec, adopted)
  }
  const made = row.make(makingOf(seen))
  if (!('spec' in made)) return made
  const hashed = hashedOf(row, made.spec)
  const inUse = ofKind.find(({ metadata }) => metadata.name === referencedTemplate(seen))
  const isSame = inUse !== undefined && equalJson(hashedOf(row, inUse.spec.template.spec), hashed)
  const hash = hashOfBytes(Buffer.from(canonicalJson({ template: { spec: hashed } })))
  const name = isSame ? (inUse.metadata.name ?? '') : templateName(poolName, hash)
  return named(
    seen,
    kind,
    name,
    made.spec,
    ofKind.find(({ metadata }) => metadata.name === name),
  )
}

function named(
  { namespace, key }: Seen,
  kind: TemplateKind,
  name: string,
  spec: object,
  live: MachineTemplate | undefined,
): TargetTemplate {
  const metadata = { name, namespace, annotations: { [Annotation.nodePool]: key } }
  return { kind, name, draft: { metadata, spec: { template: { spec } } }, live }
}

function makingOf({ pool, cluster, bootImage, target }: Seen): Making {
  const found = target()
  const version = found.is === 'found' && 'version' in found.value ? found.value.version.text : undefined
  // A pool whose machines are all made anew may have them in the new way.
  const isSpread = pool.metadata.annotations?.[PoolAnnotation.topologySpread] !== undefined || pool.status?.version !== version
  return { pool, cluster, bootImage: bootImage?.is === 'found' ? bootImage.value : undefined, isSpread }
}

/** Makes the template, or brings up to date what may change in it. */
export function templateActions({ kind, draft, live }: TargetTemplate): readonly Action[] {
  if (live === undefined) return [create(kind, draft, 'machines are to be made from it')]
  const { field } = rows[Object.keys(templateKinds).find((platform) => templateKinds[platform] === kind) ?? '']?.mutable ?? {}
  if (field === undefined) return []
  const [before, after] = [textsIn(live.spec.template.spec, field), textsIn(draft.spec.template.spec, field)]
  if (equalJson(before, after)) return []
  const gone = Object.fromEntries(
    Object.keys(before)
      .filter((key) => after[key] === undefined)
      .map((key) => [key, null]),
  )
  const change = { spec: { template: { spec: { [field]: { ...gone, ...after } } } } }
  return [patch(kind, refOf(live), change, 'its tags have changed')]
}

function textsIn(spec: object, field: string): Texts {
  return ((spec as MachineSpec)[field] as Texts | undefined) ?? {}
}

/** Deletes templates of the pool that nothing refers to: no MachineSet, also none that is scaled down, nor the MachineDeployment, nor the target. */
export function templateGarbage({ templates, machineSets, machineDeployment }: Seen, target: string | undefined): readonly Action[] {
  const used = new Set([target, nameIn(machineDeployment?.spec.template), ...machineSets.map(({ spec }) => nameIn(spec.template))])
  return templates.flatMap((template) => {
    const kind = kindOfTemplate(template)
    const isGoing = template.metadata.deletionTimestamp !== undefined || used.has(template.metadata.name)
    return kind === undefined || isGoing ? [] : [remove(kind, template, 'nothing is made from it any more')]
  })
}

function nameIn(template: capi.MachineSet['spec']['template']): string | undefined {
  return template?.spec?.infrastructureRef.name
}

function hashedOf({ mutable }: Row, spec: object): object {
  if (mutable === undefined) return spec
  const { [mutable.field]: _, ...hashed } = spec as MachineSpec
  return hashed
}
