import {
  ClusterOperator,
  ClusterVersion,
  ControlPlaneComponent,
  HostedCluster,
  type KubernetesObject,
  MachineConfig,
  MachineConfigPool,
  Node,
  NodePool,
  type Resource,
} from '@windlass/api'
import { refOf } from '@windlass/kube'
import * as fc from 'fast-check'
import type { MemoryApi } from './memory-api.ts'
import * as random from './random-objects.ts'

/** Something that happens to a server, or to time. */
export type Step =
  | { readonly do: 'change'; readonly member: number; readonly what: string; readonly apply: (api: MemoryApi) => void }
  | { readonly do: 'relist'; readonly member: number }
  | { readonly do: 'down' | 'up'; readonly member: number }
  | { readonly do: 'wait'; readonly minutes: number }

const members = 3
/** The last one is a classic cluster. */
const hostedMember = fc.nat(members - 2)
const classicMember = fc.constant(members - 1)

function changes<T extends KubernetesObject>(member: fc.Arbitrary<number>, kind: Resource<T>, object: fc.Arbitrary<T>): fc.Arbitrary<Step> {
  const deleting = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
  return fc.tuple(member, object, deleting).map(([index, value, isDeleted]) => ({
    do: 'change',
    member: index,
    what: `${isDeleted ? 'delete' : 'put'} ${JSON.stringify(value)}`,
    apply: (api) => (isDeleted ? api.remove(kind, refOf(value)) : void api.put(kind, value)),
  }))
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: changes(hostedMember, HostedCluster, random.hostedCluster) },
  { weight: 3, arbitrary: changes(hostedMember, ControlPlaneComponent, random.component) },
  { weight: 5, arbitrary: changes(hostedMember, NodePool, random.nodePool) },
  { weight: 2, arbitrary: changes(classicMember, ClusterVersion, random.clusterVersion) },
  { weight: 1, arbitrary: changes(classicMember, ClusterOperator, random.clusterOperator) },
  { weight: 1, arbitrary: changes(classicMember, MachineConfigPool, random.machineConfigPool) },
  { weight: 1, arbitrary: changes(classicMember, MachineConfig, random.machineConfig) },
  { weight: 2, arbitrary: changes(classicMember, Node, random.node) },
  { weight: 1, arbitrary: fc.nat(members - 1).map((member): Step => ({ do: 'relist', member })) },
  { weight: 1, arbitrary: fc.nat(members - 1).map((member): Step => ({ do: 'down', member })) },
  { weight: 1, arbitrary: fc.nat(members - 1).map((member): Step => ({ do: 'up', member })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 45 }).map((minutes): Step => ({ do: 'wait', minutes })) },
)

export interface Story {
  /** Before the fleet starts. */
  readonly before: readonly Step[]
  readonly after: readonly Step[]
  readonly fixes: readonly string[]
}

/** Two management clusters and a classic one, what is there at the beginning, and what happens then. */
export const story: fc.Arbitrary<Story> = fc.record({
  before: fc.array(step, { minLength: 5, maxLength: 25 }),
  after: fc.array(step, { maxLength: 20 }),
  fixes: random.fixes,
})
