import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, Node, Secret } from '@windlass/api'
import { SimulationError, type World } from '@windlass/kube/simulation'
import { Annotation, NodeAnnotation } from '../wire.ts'
import { laws } from './laws.ts'
import { controlPlaneLeavesFor, hashIn, home, installed, machinesIn, nodesIn, tell } from './world.ts'

type Deed = (world: World) => Promise<unknown>

const staying = { replicas: 2, management: { upgradeType: 'InPlace' as const, autoRepair: false } }
const firstOf = (names: readonly { readonly metadata: { readonly name?: string } }[]): string => names[0]?.metadata.name ?? ''

/** Two machines are at rest, and all laws hold; then somebody breaks one. */
async function isBrokenBy(law: RegExp, deed: Deed, spec: object = { replicas: 2 }): Promise<void> {
  const story = async (world: World): Promise<void> => {
    await installed(world, { spec })
    await deed(world)
    await world.sleep('10s')
  }
  await assert.rejects(tell(story, { invariants: laws() }), (error) => error instanceof SimulationError && law.test(error.message))
}

const mark = (world: World, expires: string) =>
  world.client.patch(
    Secret,
    { namespace: home, name: `token-workers-${hashIn(world)}` },
    { metadata: { annotations: { [Annotation.tokenExpires]: expires } } },
  )

describe('the laws of pools notice', () => {
  it('who takes away a machine that works and is needed', () =>
    isBrokenBy(/taken away only while enough others do.*1 work, and 2 must/s, (world) =>
      world.client.delete(capi.Machine, { namespace: home, name: firstOf(machinesIn(world)) }),
    ))

  it('more nodes that are away than may be', () =>
    isBrokenBy(
      /no more nodes are away than may be/,
      async (world) => {
        const annotations = { [NodeAnnotation.desiredConfig]: 'elsewhere' }
        for (const { metadata } of nodesIn(world)) {
          await world.clientOf(home).patch(Node, { name: metadata.name ?? '' }, { metadata: { annotations } })
        }
      },
      staying,
    ))

  it('a control plane that may run below its nodes', () =>
    isBrokenBy(/runs v1\.32\.6 and the control plane may run 4\.19\.5/, (world) => controlPlaneLeavesFor(world, '4.19.5')))

  it('a machine that goes and leaves its node', () =>
    isBrokenBy(
      /no machine and no node is left over/,
      async (world) => {
        const ref = { namespace: home, name: firstOf(machinesIn(world)) }
        await world.client.patch(capi.Machine, ref, { metadata: { finalizers: null } })
        await world.client.patch(capi.MachineSet, { namespace: home, name: 'workers' }, { spec: { replicas: 1 } })
        await world.client.delete(capi.Machine, ref)
      },
      staying,
    ))

  it('a token that is given more time', () =>
    isBrokenBy(/no token gets more time/, async (world) => {
      await mark(world, '2040-01-01T00:00:00Z')
      await mark(world, '2040-01-02T00:00:00Z')
    }))
})
