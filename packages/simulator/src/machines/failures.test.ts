import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aCapiMachine, aNodePool } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { failureAnnotation } from '../failures/index.ts'
import { failuresFrom, machineFailuresOf, parseMachineFailures, slownessOf } from './failures.ts'
import { strike } from './struck.ts'

const pool = (text: string) => aNodePool({ metadata: { name: 'workers', annotations: { [failureAnnotation]: text } } })
const machine = (name: string) => aCapiMachine({ name })

describe('what goes wrong with machines on purpose', () => {
  it('is a mode, with what it is limited to', () => {
    assert.deepEqual(parseMachineFailures('slow factor=3; infra-error reason=OutOfStock; node-flap period=2m').failures, [
      { mode: 'slow', factor: 3 },
      { mode: 'infra-error', reason: 'OutOfStock' },
      { mode: 'node-flap', period: 120_000 },
    ])
    assert.deepEqual(parseMachineFailures('quota most=0; quota most=-1; quota').failures, [{ mode: 'quota', most: 0 }, { mode: 'quota' }])
    assert.equal(slownessOf(parseMachineFailures('slow; slow factor=2').failures), 20)
  })

  it('that cannot be read is told, and the rest counts', () => {
    const { failures, problems } = parseMachineFailures('melt; slow factor=-1; mcd-stuck')
    assert.deepEqual([failures, problems.length], [[{ mode: 'mcd-stuck' }], 2])
    assert.match(problems[0] ?? '', /"melt" is nothing that can go wrong with a machine: choose from infra-error, /)
  })

  it('of a pool concerns all of its machines, or those of a version, or some of them and always the same', () => {
    assert.equal(machineFailuresOf(machine('a'), pool('mcd-stuck')).length, 1)
    assert.equal(machineFailuresOf(machine('a'), pool('mcd-stuck version=4.20.1')).length, 0)
    assert.equal(machineFailuresOf(machine('a'), pool('mcd-stuck version=4.19.6')).length, 1)
    const hit = Array.from({ length: 200 }, (_, index) => machineFailuresOf(machine(`m${index}`), pool('mcd-stuck chance=25%')).length)
    const count = hit.reduce((sum, each) => sum + each, 0)
    assert.ok(count > 25 && count < 75, String(count))
  })

  it('of a pool with a limit concerns the machines that come first, and not those that replace them', () => {
    let held = pool('infra-error times=2; mcd-stuck')
    const look = (name: string): readonly string[] => {
      const failures = failuresFrom(held, machine(name))
      const found = strike(held, machine(name), failures)
      if (found?.do === 'patch') held = { ...held, metadata: { ...held.metadata, annotations: annotationsIn(held, found.patch) } }
      return failures.map(({ mode }) => mode)
    }
    const annotationsIn = ({ metadata }: typeof held, change: unknown) => ({
      ...metadata.annotations,
      ...(change as { metadata: { annotations: Record<string, string> } }).metadata.annotations,
    })
    assert.deepEqual(look('a'), ['infra-error', 'mcd-stuck'])
    assert.deepEqual(look('b'), ['infra-error', 'mcd-stuck'])
    const { annotations } = held.metadata
    assert.deepEqual(look('a'), ['infra-error', 'mcd-stuck'], 'the same machine as before')
    assert.equal(held.metadata.annotations, annotations, 'nothing is written twice')
    assert.deepEqual(look('c'), ['mcd-stuck'])
    assert.deepEqual(machineFailuresOf(machine('d'), held), [{ mode: 'mcd-stuck' }])
    assert.deepEqual(parseMachineFailures('slow times=0').failures, [])
  })

  it('never breaks on anything that people write', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseMachineFailures(text)))
  })
})
