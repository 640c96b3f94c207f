import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run } from '../fixtures.ts'

describe('options of what simulates', () => {
  it('a speed is a number above 0', async () => {
    for (const speed of ['0', '-1', 'fast', '1e3', '']) {
      const { status, err } = await run('up', `--speed=${speed}`)
      assert.equal(status, 2, speed)
      assert.match(err, /A factor is a number above 0: 1 is as fast as real clusters, 20 is twenty times as fast\./)
    }
  })

  it('a fleet has a whole number of clusters', async () => {
    for (const count of ['-1', '1.5', 'many', '10001'])
      assert.match((await run('up', `--clusters=${count}`)).err, /It is a whole number from 0 to 10000\./, count)
  })

  it('so have its clusters of pools, and those of nodes', async () => {
    assert.match((await run('up', '--pools=101')).err, /It is a whole number from 0 to 100\./)
    assert.match((await run('up', '--nodes=few')).err, /It is a whole number from 0 to 1000\./)
  })

  it('controllers run or do not', async () => {
    const { status, err } = await run('up', '--controllers', 'some')
    assert.deepEqual([status, /Allowed choices are all, none\./.test(err)], [2, true])
  })

  it('the help says how fast it is unless told, and gives lines to copy', async () => {
    const [up, simulator] = [await run('up', '--help'), await run('simulator', '--help')]
    assert.match(up.out, /--speed <factor>[^\n]*\n?[^\n]*\(default:\s+20\)/)
    assert.match(simulator.out, /--speed <factor>[^\n]*\n?[^\n]*\(default:\s+1\)/)
    assert.match(simulator.out, /Examples:\n {2}windlass simulator --kubeconfig /)
  })

  it('says that the kubeconfig is missing, and what is wrong with a catalogue', async () => {
    const missing = await run('simulator', '--kubeconfig', '/nowhere/none', '--log-level', 'silent')
    assert.equal(missing.status, 1)
    assert.match(missing.err, /^windlass: .*none.*\n$/)
    const catalogue = await run('simulator', '--release-catalogue', '/nowhere/releases.yaml')
    assert.deepEqual(
      [catalogue.status, catalogue.err],
      [1, 'windlass: the release catalogue /nowhere/releases.yaml cannot be read: there is no such file\n'],
    )
  })
})
