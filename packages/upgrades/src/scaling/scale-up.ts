import { machineApi, type Node } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import { create, type CreateAction } from '@windlass/kube'
import { isReady } from '../cluster/nodes.ts'
import { cloneName, cloneOf } from './clone.ts'
import { isExtra, Label, originalsOf } from './originals.ts'

export interface ScaleUpView {
  readonly machineSets: readonly machineApi.MachineSet[]
  readonly machines: readonly machineApi.Machine[]
  readonly nodes: readonly Node[]
  readonly extraPools: readonly string[]
  /** How long extra workers may take, in milliseconds. */
  readonly timeOut: number
  readonly now: Instant
}

export type ScaleUp =
  | { readonly is: 'done' }
  | { readonly is: 'in progress'; readonly creates: readonly CreateAction<machineApi.MachineSet>[]; readonly waitingFor: string }
  /** Not an error like others: the upgrade goes on without the extra workers. */
  | { readonly is: 'timed out'; readonly waitingFor: string }
  | { readonly is: 'impossible'; readonly problem: string }

/** Makes every copy that is missing, then waits until each has its node. */
export function decideScaleUp(view: ScaleUpView): ScaleUp {
  const originals = originalsOf(view.machineSets, view.extraPools)
  if (originals.length === 0) return { is: 'impossible', problem: 'no machine set belongs to the machine pool worker or to an extra pool' }
  const byName = new Map(view.machineSets.filter(isExtra).map((machineSet) => [machineSet.metadata.name ?? '', machineSet]))
  const missing = originals.filter(({ metadata }) => !byName.has(cloneName(metadata.name ?? '')))
  if (missing.length > 0) {
    const creates = missing.map((original) =>
      create(machineApi.MachineSet, cloneOf(original), `the upgrade needs a spare machine beside those of ${original.metadata.name ?? ''}`),
    )
    const names = missing.map(({ metadata }) => cloneName(metadata.name ?? ''))
    return { is: 'in progress', creates, waitingFor: `machines of ${names.join(', ')}` }
  }
  const waits = originals.flatMap(({ metadata }) => {
    const clone = byName.get(cloneName(metadata.name ?? ''))
    const waitingFor = clone === undefined ? undefined : lackOf(clone, view)
    return clone === undefined || waitingFor === undefined ? [] : [{ waitingFor, isLate: isLate(clone, view) }]
  })
  const late = waits.find((wait) => wait.isLate)
  if (late !== undefined) return { is: 'timed out', waitingFor: late.waitingFor }
  const [first] = waits
  return first === undefined ? { is: 'done' } : { is: 'in progress', creates: [], waitingFor: first.waitingFor }
}

/** What a copy still lacks; undefined when its node is ready. */
function lackOf({ metadata, status }: machineApi.MachineSet, { machines, nodes }: ScaleUpView): string | undefined {
  const name = metadata.name ?? ''
  const replicas = status?.replicas ?? 0
  if (replicas < 1 || replicas !== (status?.readyReplicas ?? 0)) return `the machine of ${name} to be ready`
  const own = machines.filter((machine) => isExtra(machine) && machine.metadata.labels?.[Label.machineSet] === name)
  const [machine] = own
  if (machine === undefined || own.length > 1) return `exactly one machine of ${name}; there are ${own.length}`
  const nodeName = machine.status?.nodeRef?.name
  if (nodeName === undefined) return `machine ${machine.metadata.name ?? ''} to become a node`
  const node = nodes.find(({ metadata: { name: other } }) => other === nodeName)
  if (node === undefined) return `node ${nodeName} to exist`
  return isReady(node) ? undefined : `node ${nodeName} to be ready`
}

function isLate({ metadata }: machineApi.MachineSet, { timeOut, now }: ScaleUpView): boolean {
  const created = parseTime(metadata.creationTimestamp)
  return created !== undefined && now > created + timeOut
}
