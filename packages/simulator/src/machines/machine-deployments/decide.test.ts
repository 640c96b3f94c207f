import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { capi } from '@windlass/api'
import { aCapiMachineSet, aMachineDeployment } from '@windlass/api/fixtures'
import type { Action, Plan } from '@windlass/kube'
import * as fc from 'fast-check'
import { Annotation, Label } from '../wire.ts'
import { boundsOf } from './bounds.ts'
import { decide } from './decide.ts'
import { newMachineSet, templateHashOf } from './revisions.ts'
import { newSize, rollingStep } from './rolling-step.ts'

const now = Date.UTC(2026, 0, 1)

type Counts = { readonly size: number; readonly present?: number; readonly available?: number }

/** A MachineSet of the deployment, or of a template that it had before. */
function aSet(
  deployment: capi.MachineDeployment,
  name: string,
  { size, present = size, available = size }: Counts,
  hash = templateHashOf(deployment),
): capi.MachineSet {
  const { metadata, spec } = newMachineSet(deployment, size)
  return aCapiMachineSet({
    name,
    metadata: {
      name,
      namespace: 'clusters-prod',
      labels: { ...metadata.labels, [Label.templateHash]: hash },
      annotations: { ...metadata.annotations },
    },
    spec,
    status: { observedGeneration: 1, replicas: present, readyReplicas: available, availableReplicas: available },
  })
}

const rolling = (replicas: number, maxSurge: number | string, maxUnavailable: number | string) =>
  aMachineDeployment({ spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } } })

const sizes = ({ actions }: Plan): readonly string[] =>
  actions.flatMap((action: Action) => {
    if (action.do === 'create') return [`create ${String((action.object as unknown as capi.MachineSet).spec.replicas)}`]
    if (action.do === 'patch') return [`${action.ref.name} ${String((action.patch['spec'] as { replicas?: number }).replicas)}`]
    return []
  })

const look = (deployment: capi.MachineDeployment, sets: readonly capi.MachineSet[]): Plan =>
  decide({ deployment, sets, active: ({ status }) => status?.replicas ?? 0 }, now)

describe('a simulated MachineDeployment', () => {
  it('rounds a surge up and what may be away down, and lets one be away when neither is left', () => {
    assert.deepEqual(boundsOf(rolling(3, '10%', '10%')), { replicas: 3, most: 4, leastAvailable: 3 })
    assert.deepEqual(boundsOf(rolling(3, 0, '10%')), { replicas: 3, most: 3, leastAvailable: 2 })
    assert.deepEqual(boundsOf(rolling(10, 2, '25%')), { replicas: 10, most: 12, leastAvailable: 8 })
  })

  it('begins with a set of its own, and a rollout with another one of as many machines as there is room for', () => {
    assert.deepEqual(sizes(look(rolling(3, 1, 0), [])), ['create 3'])
    const deployment = rolling(3, 1, 0)
    assert.deepEqual(sizes(look(deployment, [aSet(deployment, 'old', { size: 3 }, 'other')])), ['create 1'])
  })

  it('takes an old machine away for each new one that works, and counts those that are still going', () => {
    const deployment = rolling(3, 1, 0)
    const starting = [aSet(deployment, 'new', { size: 1, available: 0 }), aSet(deployment, 'old', { size: 3 }, 'other')]
    assert.deepEqual(sizes(look(deployment, starting)), [])
    const working = [aSet(deployment, 'new', { size: 1 }), aSet(deployment, 'old', { size: 3 }, 'other')]
    assert.deepEqual(sizes(look(deployment, working)), ['old 2'])
    const going = [aSet(deployment, 'new', { size: 1 }), aSet(deployment, 'old', { size: 2, present: 3, available: 2 }, 'other')]
    assert.deepEqual(sizes(look(deployment, going)), [], 'one is on its way out, and there is no room before it is gone')
    const gone = [aSet(deployment, 'new', { size: 1 }), aSet(deployment, 'old', { size: 2 }, 'other')]
    assert.deepEqual(sizes(look(deployment, gone)), ['new 2'])
  })

  it('decides nothing about a set that nobody has looked at since it was changed, nor while it is paused', () => {
    const deployment = rolling(3, 1, 0)
    const set = aSet(deployment, 'old', { size: 3 }, 'other')
    const unseen = { ...set, metadata: { ...set.metadata, generation: 2 } }
    assert.deepEqual(look(deployment, [unseen]), { actions: [], waitingFor: 'MachineSet old to be looked at' })
    const paused = { ...deployment, metadata: { ...deployment.metadata, annotations: { [Annotation.paused]: 'true' } } }
    assert.deepEqual(sizes(look(paused, [set])), [])
  })

  it('replaces only what somebody has deleted, where that is how it is done', () => {
    const deployment = aMachineDeployment({ spec: { replicas: 3, strategy: { type: 'OnDelete' } } })
    const sets = [aSet(deployment, 'new', { size: 0 }), aSet(deployment, 'old', { size: 3 }, 'other')]
    assert.deepEqual(sizes(look(deployment, sets)), [])
    const deleting = decide({ deployment, sets, active: ({ metadata }) => (metadata.name === 'old' ? 2 : 0) }, now)
    assert.deepEqual(sizes(deleting), ['old 2'])
    const gone = [aSet(deployment, 'new', { size: 0 }), aSet(deployment, 'old', { size: 2 }, 'other')]
    assert.deepEqual(sizes(look(deployment, gone)), ['new 1'])
  })

  it('is another template for another version, and not for other labels or time limits', () => {
    const deployment = rolling(3, 1, 0)
    const { template } = deployment.spec
    const spec = template.spec ?? assert.fail()
    const changed = (next: Partial<typeof spec>) => ({
      ...deployment,
      spec: { ...deployment.spec, template: { metadata: { labels: { a: 'b' } }, spec: { ...spec, ...next } } },
    })
    assert.equal(templateHashOf(changed({ nodeDrainTimeout: '5m' })), templateHashOf(deployment))
    assert.notEqual(templateHashOf(changed({ version: '4.20.1' })), templateHashOf(deployment))
  })

  it('never has more machines than it may, nor fewer that work, whatever the sets are like', () => {
    const counts = fc.record({ size: fc.nat(6), broken: fc.nat(3), going: fc.nat(2) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(3), fc.nat(3), counts, counts, (replicas, surge, away, first, second) => {
        const deployment = rolling(replicas, surge, Math.min(away, replicas))
        const bounds = boundsOf(deployment)
        const make = (name: string, { size, broken, going }: typeof first, hash?: string) =>
          aSet(deployment, name, { size, present: size + going, available: Math.max(0, size - broken) }, hash)
        const [current, old] = [make('new', first), make('old', second, 'other')]
        const step = rollingStep({ current, old: [old] }, bounds)
        const available = (set: capi.MachineSet): number => set.status?.availableReplicas ?? 0
        const after = (set: capi.MachineSet): number => step.get(set) ?? set.spec.replicas ?? 0
        const isWithin = available(current) + available(old) >= bounds.leastAvailable
        const works = Math.min(available(current), after(current)) + Math.min(available(old), after(old))
        // A set takes broken machines away first, so that what is left of those that work is the most that it could be.
        if (isWithin && after(current) >= (current.spec.replicas ?? 0)) assert.ok(works >= bounds.leastAvailable)
        const total = first.size + first.going + second.size + second.going
        if (total <= bounds.most)
          assert.ok(
            newSize(current, bounds, [old]) + first.going + second.size + second.going <= bounds.most ||
              newSize(current, bounds, [old]) <= first.size,
          )
      }),
      { numRuns: 200 },
    )
  })
})
