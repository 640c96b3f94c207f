import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster } from '@windlass/api'
import { aHostedCluster } from '@windlass/api/fixtures'
import { parseTime } from '@windlass/core'
import { historyLines, historyOf } from './index.ts'

type Status = NonNullable<HostedCluster['status']>
type Managed = NonNullable<Status['controlPlaneVersion']>
type Guest = NonNullable<Status['version']>

const at = (time: string): string => `2026-03-06T${time}:00Z`
const noon = parseTime(at('12:00')) ?? assert.fail()
const digest = `sha256:${'ab'.repeat(32)}`
const imageOf = (version: string): string => `example.com/ocp/release:${version}-x86_64`

/** `P 4.20.1 11:50` runs since then, `C 4.20.0 11:00-11:30` has ended. */
function update(text: string) {
  const [letter, version = '', times = ''] = text.split(' ')
  const [started = '', ended] = times.split('-')
  return {
    state: letter === 'P' ? 'Partial' : 'Completed',
    version,
    started: at(started),
    ended: ended === undefined ? undefined : at(ended),
  } as const
}

function managed(...updates: readonly string[]): Managed {
  const history = updates.map(update).map(({ state, version, started, ended }) => ({
    state,
    version,
    image: imageOf(version),
    startedTime: started,
    ...(ended === undefined ? {} : { completionTime: ended }),
  }))
  return { desired: { version: history[0]?.version ?? '', image: history[0]?.image ?? '' }, history, observedGeneration: 1 }
}

function guest(...updates: readonly string[]): Guest {
  const history = updates.map(update).map(({ state, version, started, ended }) => ({
    state,
    version,
    image: imageOf(version),
    startedTime: started,
    completionTime: ended ?? null,
    verified: true,
  }))
  return {
    desired: { version: history[0]?.version ?? '', image: history[0]?.image ?? '' },
    history,
    observedGeneration: 1,
    availableUpdates: null,
  }
}

const cluster = (status: Status): HostedCluster => aHostedCluster({ status })
const linesOf = (status: Status, isWide = false): readonly string[] => historyLines(historyOf(cluster(status), noon), noon, isWide)

describe('the history of a hosted cluster', () => {
  it('has both sides, newest first, with what became of each update', () => {
    const status = {
      controlPlaneVersion: managed('P 4.20.1 11:48', 'P 4.19.19 10:00-11:48', 'C 4.19.6 08:00-08:30'),
      version: guest('C 4.19.6 08:00-08:41'),
    }
    assert.deepEqual(linesOf(status), [
      'clusters/prod',
      'Management side: is on its way to 4.20.1, for 12m now (may run: 4.20.1, 4.19.19, 4.19.6)',
      'Data plane:      runs 4.19.6 since 2026-03-06T08:41:00Z',
      '',
      'SIDE         VERSION   STATE                 STARTED                ENDED                  TOOK',
      'management   4.20.1    Partial, running      2026-03-06T11:48:00Z   -                      12m',
      'management   4.19.19   Partial, superseded   2026-03-06T10:00:00Z   2026-03-06T11:48:00Z   108m',
      'management   4.19.6    Completed             2026-03-06T08:00:00Z   2026-03-06T08:30:00Z   30m',
      'data plane   4.19.6    Completed             2026-03-06T08:00:00Z   2026-03-06T08:41:00Z   41m',
    ])
  })

  it('names the image of each update where there is room for it, by digest if that is known', () => {
    const version = managed('C 4.19.6 08:00-08:30')
    const [newest] = version.history ?? []
    assert.ok(newest !== undefined)
    const byDigest = { ...version, history: [{ ...newest, image: `example.com/ocp/release@${digest}` }] }
    const [, , , , header, row, other] = linesOf({ controlPlaneVersion: byDigest, version: guest('C 4.19.6 08:00-08:41') }, true)
    assert.match(header ?? '', /TOOK {3}IMAGE$/)
    assert.match(row ?? '', new RegExp(`   ${digest}$`))
    assert.match(other ?? '', /   example\.com\/ocp\/release:4\.19\.6-x86_64$/)
  })

  it('N14 says of an update that takes too long that it has stalled, and where to look', () => {
    const [, sentence] = linesOf({ controlPlaneVersion: managed('P 4.20.1 10:59', 'C 4.19.6 08:00-08:30') })
    assert.equal(
      sentence,
      'Management side: has stalled on its way to 4.20.1, for 61m now (may run: 4.20.1, 4.19.6); windlass status prod says what it waits for',
    )
  })

  it('N15 says of one that nobody works on that it is paused', () => {
    const conditions = [
      { type: 'ReconciliationActive', status: 'False', reason: 'ReconciliationPaused', message: '', lastTransitionTime: at('09:00') },
    ] as const
    const [, sentence] = linesOf({ controlPlaneVersion: managed('P 4.20.1 08:59', 'C 4.19.6 08:00-08:30'), conditions })
    assert.match(sentence ?? '', /^Management side: is paused on its way to 4\.20\.1, for 3h1m now/)
  })

  it('N09 is not known while nobody reports it, and the reader learns what to do', () => {
    const lines = linesOf({ version: guest('C 4.19.6 08:00-08:41') })
    assert.match(lines[1] ?? '', /^Management side: nothing reports its version .* windlass operator --controllers control-plane-version$/)
    assert.deepEqual(lines.slice(3), [
      '',
      'SIDE         VERSION   STATE       STARTED                ENDED                  TOOK',
      'data plane   4.19.6    Completed   2026-03-06T08:00:00Z   2026-03-06T08:41:00Z   41m',
    ])
    assert.equal(historyLines(historyOf(cluster({}), noon), noon, false).length, 3)
  })

  it('takes what runs from the guest when it began in the middle of an update', () => {
    const { controlPlane } = historyOf(
      cluster({ controlPlaneVersion: managed('P 4.20.1 11:48'), version: guest('C 4.19.6 08:00-08:41') }),
      noon,
    )
    assert.deepEqual(controlPlane?.active, ['4.20.1', '4.19.6'])
  })

  it('is for programs too', () => {
    assert.deepEqual(historyOf(cluster({ controlPlaneVersion: managed('P 4.20.1 11:48') }), noon), {
      namespace: 'clusters',
      name: 'prod',
      controlPlane: {
        state: 'Progressing',
        target: '4.20.1',
        since: at('11:48'),
        active: ['4.20.1'],
        history: [
          {
            version: '4.20.1',
            state: 'Partial',
            outcome: 'running',
            startedTime: at('11:48'),
            durationSeconds: 720,
            image: imageOf('4.20.1'),
          },
        ],
      },
    })
  })

  it('has a version that is not known yet', () => {
    const entry = { state: 'Partial', startedTime: at('11:58'), completionTime: null, image: imageOf('x'), verified: false } as const
    const lines = linesOf({ version: { ...guest(), history: [entry] } })
    assert.equal(lines[2], 'Data plane:      is on its way to a version that is not known yet, for 2m now (what runs there is not known)')
    assert.match(lines.at(-1) ?? '', /^data plane   \? /)
  })
})
