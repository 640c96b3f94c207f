import type { capi } from '@windlass/api'
import { type Action, create, equalJson, patch, refOf, remove } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import { canonicalJson } from '../../components/hash.ts'
import { hashOfBytes } from '../hash.ts'
import { templateName } from '../names.ts'
import { ownMachineSetOf, type Seen } from '../seen.ts'
import { Annotation } from '../wire.ts'
import { awsMachine, withoutTags } from './aws.ts'
import { kubevirtMachine } from './kubevirt.ts'
import type { Made, Making } from './making.ts'
import { agentMachine, azureMachine, powervsMachine } from './other-platforms.ts'
import { kindOfTemplate, type MachineTemplate, type TemplateKind, templateKinds } from './template.ts'

interface Row {
  readonly make: (making: Making) => Made
  /** What may change without new machines. */
  readonly unhashed?: (spec: Readonly<Record<string, unknown>>) => object
}

/** By platform. */
const rows: Readonly<Record<string, Row>> = {
  AWS: { make: awsMachine, unhashed: withoutTags },
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
 * One that is in use and says the same keeps its name, whoever has given it: another controller may have come to it by other bytes.
 */
export function targetTemplate(seen: Seen): TemplateOutcome {
  const { pool, cluster, namespace, name: poolName, key, templates, bootImage } = seen
  const { type } = pool.spec.platform
  const [row, kind] = [rows[type], templateKinds[type]]
  if (row === undefined || kind === undefined) return { problem: `machines cannot be made on platform ${type}` }
  const made = row.make({ pool, cluster, bootImage: bootImage?.is === 'found' ? bootImage.value : undefined })
  if (!('spec' in made)) return made
  const hashed = hashedOf(row, made.spec)
  const inUse = templates.find((template) => template.kind === kind.kind && template.metadata.name === referencedName(seen))
  const isSame = inUse !== undefined && equalJson(hashedOf(row, inUse.spec.template.spec), hashed)
  const hash = hashOfBytes(Buffer.from(canonicalJson({ template: { spec: hashed } })))
  const name = isSame ? (inUse.metadata.name ?? '') : templateName(poolName, hash)
  return {
    kind,
    name,
    draft: { metadata: { name, namespace, annotations: { [Annotation.nodePool]: key } }, spec: { template: { spec: made.spec } } },
    live: templates.find((template) => template.kind === kind.kind && template.metadata.name === name),
  }
}

/** Makes the template, or brings up to date what may change in it. */
export function templateActions({ kind, draft, live }: TargetTemplate): readonly Action[] {
  if (live === undefined) return [create(kind, draft, 'machines are to be made from it')]
  const row = rows[Object.keys(templateKinds).find((platform) => templateKinds[platform] === kind) ?? '']
  if (row?.unhashed === undefined || equalJson(live.spec.template.spec, draft.spec.template.spec)) return []
  const { additionalTags } = draft.spec.template.spec as { readonly additionalTags?: Readonly<Record<string, string>> }
  const stale = Object.keys((live.spec.template.spec as { readonly additionalTags?: object }).additionalTags ?? {})
  const gone = Object.fromEntries(stale.filter((tag) => additionalTags?.[tag] === undefined).map((tag) => [tag, null]))
  const change = { spec: { template: { spec: { additionalTags: { ...gone, ...additionalTags } } } } }
  return [patch(kind, refOf(live), change, 'its tags have changed')]
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

/** The name of the template that machines are made from now. */
function referencedName(seen: Seen): string | undefined {
  return nameIn(seen.machineDeployment?.spec.template) ?? nameIn(ownMachineSetOf(seen)?.spec.template)
}

function nameIn(template: capi.MachineSet['spec']['template']): string | undefined {
  return template?.spec?.infrastructureRef.name
}

function hashedOf({ unhashed }: Row, spec: object): object {
  return unhashed === undefined ? spec : unhashed(spec as Readonly<Record<string, unknown>>)
}
