import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DaemonSet, Deployment, Node, Pod, PodDisruptionBudget } from '@windlass/api'
import { aDaemonSet, aNode, aPodDisruptionBudget } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import { isThrottled } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import { isActive, isReady } from '../pods/index.ts'
import { aWorld, deploymentDraft, draftOf, imageOf, isRolledOut, namespace, templateOf, toImage } from '../testing/index.ts'

const ref = { namespace, name: 'web' }
const untilUp = ({ state, until }: World): Promise<void> => until(() => isRolledOut(state.get(Deployment, ref)), { within: '20m' })
const placesOf = ({ state }: World, app: string): readonly string[] =>
  state
    .list(Pod)
    .filter((pod) => isActive(pod) && pod.metadata.labels?.app === app)
    .map(({ spec }) => spec.nodeName ?? '')
    .toSorted((a, b) => (a < b ? -1 : 1))

/** Nodes as a kubelet registers them. */
async function join({ client }: World, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const node = aNode({ name })
    await client.create(Node, draftOf(node))
    await client.patchStatus(Node, { name }, { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }] } })
  }
}

const cordon = ({ client }: World, name: string, isCordoned: boolean) =>
  client.patch(Node, { name }, { spec: { unschedulable: isCordoned } })

/** Evicts all Pods of a node, again and again until they are gone, as a drain does. */
async function drain({ client, state, sleep }: World, node: string): Promise<number> {
  let refusals = 0
  for (let tries = 0; tries < 600; tries++) {
    const left = state.list(Pod).filter((pod) => pod.spec.nodeName === node && pod.metadata.ownerReferences?.[0]?.kind !== 'DaemonSet')
    if (left.length === 0) return refusals
    for (const { metadata } of left.filter(isActive)) {
      const { name = '' } = metadata
      try {
        await client.createSubresource(Pod, { namespace, name }, 'eviction', {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { namespace, name },
        })
      } catch (error) {
        if (!isThrottled(error)) throw error
        refusals++
      }
    }
    await sleep('5s')
  }
  return assert.fail(`${node} is not drained`)
}

describe('on an API server with Nodes', () => {
  it('Pods are spread over them, and go where there is room', async () => {
    await simulate(
      aWorld(1, async (world) => {
        await join(world, 'n1', 'n2', 'n3')
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 3 }))
        await untilUp(world)
        assert.deepEqual(placesOf(world, 'web'), ['n1', 'n2', 'n3'])
      }),
    )
  })

  it('Pods that no node takes wait, say why, and start when one does', async () => {
    await simulate(
      aWorld(2, async (world) => {
        await join(world, 'n1')
        await cordon(world, 'n1', true)
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 2 }))
        await world.settled({ within: '10m' })
        const [pod] = world.state.list(Pod)
        const condition = findCondition(pod?.status?.conditions, 'PodScheduled')
        assert.deepEqual(
          [condition?.status, condition?.reason, condition?.message],
          ['False', 'Unschedulable', '0/1 nodes are available: 1 node(s) were unschedulable.'],
        )
        await cordon(world, 'n1', false)
        await world.sleep('1s')
        assert.ok(
          world.state.list(Pod).every((each) => !isReady(each)),
          'they start now, and not when they were made',
        )
        await untilUp(world)
        assert.deepEqual(placesOf(world, 'web'), ['n1', 'n1'])
      }),
    )
  })

  it('a drain waits for the budget of the Pods, and moves all of them', async () => {
    await simulate(
      aWorld(
        3,
        async (world) => {
          await join(world, 'n1', 'n2')
          const selector = { matchLabels: { app: 'web' } }
          await world.client.create(
            PodDisruptionBudget,
            draftOf(aPodDisruptionBudget({ name: 'web', namespace, spec: { maxUnavailable: 1, selector } })),
          )
          await world.client.create(Deployment, deploymentDraft('web', { replicas: 4 }))
          await untilUp(world)
          await world.sleep('1s')
          const { status } = world.state.get(PodDisruptionBudget, ref) ?? assert.fail()
          assert.deepEqual([status?.disruptionsAllowed, status?.currentHealthy, status?.desiredHealthy, status?.expectedPods], [1, 4, 3, 4])
          await cordon(world, 'n1', true)
          assert.ok((await drain(world, 'n1')) > 0, 'the second one had to wait')
          await untilUp(world)
          assert.deepEqual(placesOf(world, 'web'), ['n2', 'n2', 'n2', 'n2'])
          await world.settled({ within: '10m' })
          assert.equal(world.state.get(PodDisruptionBudget, ref)?.status?.disruptedPods, undefined)
        },
        {
          invariants: [
            {
              name: 'a drain leaves three of four in service',
              of: Pod,
              holds: (_write, state) => {
                const up = state.list(Pod).filter((pod) => isActive(pod) && isReady(pod)).length
                const isStarting =
                  !isRolledOut(state.get(Deployment, ref)) && state.list(Node).every(({ spec }) => spec.unschedulable !== true)
                return isStarting || up >= 3 || `${up} are in service`
              },
            },
          ],
        },
      ),
    )
  })

  it('DaemonSets have a Pod on each, follow them, and are updated one by one', async () => {
    await simulate(
      aWorld(4, async (world) => {
        const dns = { namespace, name: 'dns' }
        const selector = { matchLabels: { app: 'dns' } }
        await world.client.create(DaemonSet, draftOf(aDaemonSet({ ...dns, spec: { selector, template: templateOf('dns', imageOf('1')) } })))
        await world.settled({ within: '5m' })
        assert.equal(world.state.get(DaemonSet, dns)?.status?.desiredNumberScheduled, 0)
        await join(world, 'n1', 'n2')
        await cordon(world, 'n2', true)
        const counts = (): readonly (number | undefined)[] => {
          const { status } = world.state.get(DaemonSet, dns) ?? assert.fail()
          return [status?.desiredNumberScheduled, status?.numberReady, status?.updatedNumberScheduled]
        }
        await world.until(() => counts().every((count) => count === 2), { within: '5m' })
        await world.client.patch(DaemonSet, dns, toImage('dns', imageOf('2')))
        await world.until(() => counts()[2] === 1, { within: '1m', every: 10 })
        await world.until(() => counts().every((count) => count === 2), { within: '5m' })
        await world.client.delete(Node, { name: 'n1' })
        await world.until(() => counts().every((count) => count === 1), { within: '1m' })
        assert.deepEqual(placesOf(world, 'dns'), ['n2'])
      }),
    )
  })
})
