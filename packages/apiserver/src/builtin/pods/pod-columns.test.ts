import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { podColumns } from './pod-columns.ts'

const now = Date.UTC(2026, 0, 1, 1)

function row(pod: JsonObject): readonly unknown[] {
  return podColumns.slice(0, 3).map(({ cell }) => cell(pod, now))
}

const twoContainers = { containers: [{ name: 'a' }, { name: 'b' }] }
const running = (name: string, ready = true): JsonObject => ({ name, ready, restartCount: 0, state: { running: {} } })

describe('columns of Pods', () => {
  const cases: readonly (readonly [what: string, pod: JsonObject, cells: readonly string[]])[] = [
    ['a new Pod', { spec: twoContainers, status: { phase: 'Pending' } }, ['0/2', 'Pending', '0']],
    [
      'one of two ready',
      { spec: twoContainers, status: { phase: 'Running', containerStatuses: [running('a'), running('b', false)] } },
      ['1/2', 'Running', '0'],
    ],
    [
      'a container that does not start',
      {
        spec: twoContainers,
        status: {
          phase: 'Pending',
          containerStatuses: [running('a'), { name: 'b', restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff' } } }],
        },
      },
      ['1/2', 'ImagePullBackOff', '0'],
    ],
    [
      'a container that was restarted',
      {
        spec: { containers: [{ name: 'a' }] },
        status: {
          phase: 'Running',
          containerStatuses: [
            { ...running('a'), restartCount: 3, lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:55:00Z' } } },
          ],
        },
      },
      ['1/1', 'Running', '3 (5m ago)'],
    ],
    [
      'init containers under way',
      {
        spec: { initContainers: [{ name: 'i' }, { name: 'j' }], containers: [{ name: 'a' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { name: 'i', restartCount: 0, state: { terminated: { exitCode: 0 } } },
            { name: 'j', restartCount: 0, state: { running: {} } },
          ],
        },
      },
      ['0/1', 'Init:1/2', '0'],
    ],
    [
      'a container that ended with a code',
      {
        spec: { containers: [{ name: 'a' }] },
        status: { phase: 'Failed', containerStatuses: [{ name: 'a', restartCount: 0, state: { terminated: { exitCode: 2 } } }] },
      },
      ['0/1', 'ExitCode:2', '0'],
    ],
    [
      'a Pod that is going',
      { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, spec: twoContainers, status: { phase: 'Running' } },
      ['0/2', 'Terminating', '0'],
    ],
  ]
  for (const [what, pod, cells] of cases) it(what, () => assert.deepEqual(row(pod), cells))
})
