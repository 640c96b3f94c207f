import assert from 'node:assert/strict'
import { it } from 'node:test'
import { releases } from '../hosted/releases.ts'
import { table } from '../support/kubectl.ts'
import { statesSince, saidBy } from './record.ts'
import type { Scene } from './story.ts'

const second = releases['4.20.1']
const releaseVersion = 'hypershift.openshift.io/release-version'

const uidsOf = ({ metal }: Scene): readonly string[] => metal.machines.map(({ metadata }) => metadata.uid ?? '').toSorted()

/** Nodes that are upgraded where they are. */
export function inPlace(at: () => Scene): void {
  it('NP-55 is upgraded in place: every machine stays, and says what it runs', async () => {
    const { stage, prod, metal } = at()
    const before = uidsOf(at())
    const began = stage.recorder.changes().at(-1)?.revision ?? 0
    await metal.upgrade(second)
    await metal.until('to be upgraded', () => metal.said('UpdatingVersion') === 'True')
    await metal.untilAt(second, 2)
    assert.deepEqual(uidsOf(at()), before)
    assert.deepEqual(
      metal.machines.map(({ metadata }) => metadata.annotations?.[releaseVersion]),
      ['4.20.1', '4.20.1'],
    )
    const annotations = metal.machineSet?.metadata.annotations ?? {}
    assert.equal(
      annotations['hypershift.openshift.io/nodePoolCurrentConfigVersion'],
      annotations['hypershift.openshift.io/nodePoolTargetConfigVersion'],
    )
    const reached = statesSince(began, stage.recorder.changes(), 'metal', (pool) => saidBy(pool, 'ReachedIgnitionEndpoint'))
    assert.deepEqual(reached, ['True'])
    const texts = statesSince(began, stage.recorder.changes(), 'metal', (pool) => messageOf(pool))
    assert.ok(
      texts.some((text) => text.endsWith('Total Nodes: 2. Upgraded: 1')),
      `one after the other: ${texts.join('; ')}`,
    )
    const guest = await prod.kubectlOfGuest()
    const versions = table(await guest.ok`get nodes -l hypershift.openshift.io/nodePool=metal`).map(({ VERSION }) => VERSION)
    assert.deepEqual(versions, ['v1.33.1', 'v1.33.1'])
  })
}

function messageOf({ status }: { readonly status?: { readonly conditions?: readonly { type: string; message?: string }[] } }): string {
  return status?.conditions?.find(({ type }) => type === 'UpdatingVersion')?.message ?? ''
}
