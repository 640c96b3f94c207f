import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyingReport, type Report, restingReport, type Situation } from './report.ts'

const minute = 60_000
const start = Date.UTC(2025, 5, 27, 12)

function situation(more: Partial<Situation> & Partial<Situation['holdUps']> = {}): Situation {
  const { unavailable = [], degraded = [], updating = [], ...rest } = more
  return {
    version: 'V',
    holdUps: { unavailable, degraded, updating },
    done: 100,
    total: 862,
    since: start,
    toldAt: (moment) => moment,
    minute,
    ...rest,
  }
}

const at = (minutes: number): number => start + minutes * minute
const since = (name: string, minutes = 0) => ({ name, since: at(minutes) })

function says({ progressing, failing }: Report): readonly string[] {
  return [progressing, failing].map(({ status, reason = '-', message = '-' }) => `${status} ${reason} ${message}`)
}

describe('what is said about an update that runs', () => {
  for (const [what, given, minutes, progressing, failing] of [
    ['nothing is done', { done: 0, updating: ['etcd'] }, 1, 'True - Working towards V', 'False - -'],
    ['something is done', {}, 1, 'True - Working towards V: 100 of 862 done (11% complete)', 'False - -'],
    [
      'one operator is waited for',
      { updating: ['etcd'] },
      1,
      'True ClusterOperatorUpdating Working towards V: 100 of 862 done (11% complete), waiting on etcd',
      'False - -',
    ],
    [
      'several are',
      { updating: ['dns', 'etcd'] },
      30,
      'True ClusterOperatorsUpdating Working towards V: 100 of 862 done (11% complete), waiting on dns, etcd',
      'False - -',
    ],
    [
      'one takes more than 30 minutes',
      { updating: ['etcd'] },
      31,
      'True ClusterOperatorUpdating Working towards V: 100 of 862 done (11% complete), waiting on etcd over 30 minutes which is longer than expected',
      'Unknown SlowClusterOperator waiting on etcd over 30 minutes which is longer than expected',
    ],
    [
      'machine-config takes more than 30 minutes',
      { updating: ['machine-config'] },
      90,
      'True ClusterOperatorUpdating Working towards V: 100 of 862 done (11% complete), waiting on machine-config',
      'False - -',
    ],
    [
      'T118 machine-config takes more than 90 minutes',
      { updating: ['machine-config'] },
      91,
      'True ClusterOperatorUpdating Working towards V: 100 of 862 done (11% complete), waiting on machine-config over 90 minutes which is longer than expected',
      'Unknown SlowClusterOperator waiting on machine-config over 90 minutes which is longer than expected',
    ],
    [
      'both are slow',
      { updating: ['dns', 'machine-config'] },
      91,
      'True ClusterOperatorsUpdating Working towards V: 100 of 862 done (11% complete), waiting on dns over 30 minutes and machine-config over 90 minutes which is longer than expected',
      'Unknown SlowClusterOperator waiting on dns over 30 minutes and machine-config over 90 minutes which is longer than expected',
    ],
    [
      'one is degraded for 40 minutes',
      { degraded: [since('etcd')] },
      40,
      'True ClusterOperatorDegraded Working towards V: 100 of 862 done (11% complete), waiting up to 40 minutes on etcd',
      'False - -',
    ],
    [
      'T117 one is degraded for more than 40 minutes',
      { degraded: [since('etcd')], updating: ['dns'] },
      41,
      'True ClusterOperatorDegraded Unable to apply V: wait has exceeded 40 minutes for these operators: etcd',
      'True ClusterOperatorDegraded Cluster operator etcd is degraded',
    ],
    [
      'two are',
      { degraded: [since('dns'), since('etcd')] },
      41,
      'True ClusterOperatorsDegraded Unable to apply V: wait has exceeded 40 minutes for these operators: dns, etcd',
      'True ClusterOperatorsDegraded Cluster operators dns, etcd are degraded',
    ],
    [
      'one is not available',
      { unavailable: [since('etcd')] },
      1,
      'True ClusterOperatorNotAvailable Unable to apply V: the cluster operator etcd is not available',
      'True ClusterOperatorNotAvailable Cluster operator etcd is not available',
    ],
    [
      'two are not available',
      { unavailable: [since('dns'), since('etcd')] },
      1,
      'True ClusterOperatorsNotAvailable Unable to apply V: some cluster operators are not available',
      'True ClusterOperatorsNotAvailable Cluster operators dns, etcd are not available',
    ],
    [
      'several things are wrong',
      { unavailable: [since('etcd')], degraded: [since('dns')], updating: ['network'] },
      41,
      'True MultipleErrors Unable to apply V: an unknown error has occurred: MultipleErrors',
      'True MultipleErrors Multiple errors are preventing progress:\n* Cluster operator dns is degraded\n* Cluster operator etcd is not available',
    ],
    [
      'a manifest is rejected',
      { rejected: 'Could not update deployment "a/b" (1 of 862)' },
      1,
      'True UpdatePayloadResourceInvalid Unable to apply V: the update could not be applied',
      'True UpdatePayloadResourceInvalid Could not update deployment "a/b" (1 of 862)',
    ],
  ] satisfies [string, Parameters<typeof situation>[0], number, string, string][]) {
    const name = what.replace(/^(T\d+ )?/, '$1when ')
    it(name, () => assert.deepEqual(says(applyingReport(situation(given), at(minutes))), [progressing, failing]))
  }

  it('does not tell of an error before the attempt ends in which it was met', () => {
    const report = applyingReport(situation({ unavailable: [since('etcd')], toldAt: () => at(5) }), at(4))
    assert.match(says(report)[0] ?? '', /waiting on etcd$/)
    assert.equal(report.failing.status, 'False')
  })
})

describe('what is said about a cluster at rest', () => {
  for (const [what, given, progressing, failing] of [
    ['all is well', {}, 'False - Cluster version is V', 'False - -'],
    [
      'an operator is degraded',
      { degraded: [since('machine-config')] },
      'False ClusterOperatorDegraded Error while reconciling V: the cluster operator machine-config is degraded',
      'True ClusterOperatorDegraded Cluster operator machine-config is degraded',
    ],
    [
      'operators are not available',
      { unavailable: [since('dns'), since('etcd')] },
      'False ClusterOperatorsNotAvailable Error while reconciling V: some cluster operators are not available',
      'True ClusterOperatorsNotAvailable Cluster operators dns, etcd are not available',
    ],
  ] satisfies [string, Parameters<typeof situation>[0], string, string][]) {
    it(`when ${what}`, () => assert.deepEqual(says(restingReport(situation(given), at(1))), [progressing, failing]))
  }
})
