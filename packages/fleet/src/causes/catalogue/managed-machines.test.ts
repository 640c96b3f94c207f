import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonObject, machineApi } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { failureAnnotation, type InjectionMode, injectionModes } from '@windlass/simulator'
import { assertNamesFirst, classicIn, isAtStep, play, type Root, upgrade, why } from './index.ts'

/** All sets get it, and what copies their templates copies it. */
async function failMachines(world: World, failure: string): Promise<void> {
  for (const { metadata } of world.state.list(machineApi.MachineSet)) {
    const ref = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
    const template = { metadata: { annotations: { [failureAnnotation]: failure } } }
    await world.client.patch(machineApi.MachineSet, ref, { spec: { template } as JsonObject })
  }
}

interface Story {
  readonly failure?: string
  /** The step that waits for it. */
  readonly step: 'ComputeCapacityReserved' | 'ComputeCapacityRemoved'
  readonly root: Root
}

const extra = /-upgrade-/
const path = ['UpgradeConfig', 'MachineSet']

const machineSets: Readonly<Record<InjectionMode<'MachineSet'>, Story>> = {
  'no-machines': {
    step: 'ComputeCapacityReserved',
    root: { kind: 'MachineSet', name: /-upgrade$/, reason: /^NoMachines$/, says: /0 of 1 machines/, below: ['UpgradeConfig'] },
  },
}

const machines: Readonly<Record<InjectionMode<'Machine'>, Story>> = {
  quota: {
    step: 'ComputeCapacityReserved',
    failure: 'quota reason=VcpuLimitExceeded',
    root: { kind: 'Machine', name: extra, reason: /^VcpuLimitExceeded$/, says: /provider does not make it/, below: path },
  },
  'no-node': {
    step: 'ComputeCapacityReserved',
    root: { kind: 'Machine', name: extra, reason: /^Provisioned$/, says: /has not become a node/, below: path },
  },
  'never-ready': {
    step: 'ComputeCapacityReserved',
    root: { kind: 'Node', name: extra, reason: /^KubeletNotReady$/, below: [...path, 'Machine'] },
  },
  slow: {
    step: 'ComputeCapacityReserved',
    failure: 'slow factor=1000',
    root: { kind: 'Machine', name: extra, reason: /^Provisioning$/, says: /has not made it yet/, below: path },
  },
  'drain-blocked': {
    step: 'ComputeCapacityRemoved',
    root: { kind: 'Machine', name: extra, reason: /^Deleting$/, says: /its node is still there/, below: ['UpgradeConfig'] },
  },
  'removal-stuck': {
    step: 'ComputeCapacityRemoved',
    root: { kind: 'Machine', name: extra, reason: /^Deleting$/, says: /being deleted/, below: ['UpgradeConfig'] },
  },
}

describe('of everything that can go wrong with machines that a managed upgrade adds', () => {
  for (const [mode, { failure = mode, step, root }] of Object.entries({ ...machineSets, ...machines })) {
    it(`${mode}: the root is named first`, { timeout: 60_000 }, async () => {
      await play(async (world) => {
        await world.sleep('1m')
        await failMachines(world, failure)
        await upgrade(world)
        await world.until(() => isAtStep(world, step), { within: '12h', every: '30s' })
        await world.sleep('40m')
        assertNamesFirst(await why(world, classicIn(world)), root)
      })
    })
  }

  it('there is a story for each of them', () => {
    assert.deepEqual(Object.keys(machineSets), [...injectionModes.MachineSet])
    assert.deepEqual(Object.keys(machines).toSorted(), injectionModes.Machine.toSorted())
  })
})
