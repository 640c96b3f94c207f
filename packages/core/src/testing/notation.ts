import type { ComponentReport } from '../completion/component.ts'
import type { Release } from '../release/release.ts'
import { parseTime } from '../time/rfc3339.ts'
import type { HistoryEntry, UpdateState } from '../update-history/history.ts'

/**
 * The short notation in which tests say what they are about; all on 2026-03-06.
 *
 * - A release: `4.17.0/A` is version 4.17.0 with the image A. Without an image, every version has its own.
 * - An update: `P 4.17.0/A 11:50` is Partial and runs since 11:50; `C 4.17.0/A 11:00-11:30` is Completed and has ended.
 * - A component: `etcd@4.17.0+` has rolled out 4.17.0, `etcd@4.17.0-` has not; `etcd@4.17.0+#4` last acted on generation 4.
 */

/** The image of a letter: a digest on a source repository. */
export function image(name: string): string {
  return `quay.io/releases@sha256:${Buffer.from(name).toString('hex')}`
}

/** A time of that day: `at('12:00')`, `at('12:00:01')`. */
export function at(time: string): string {
  return `2026-03-06T${time.length === 5 ? `${time}:00` : time}Z`
}

/** The same as a moment. */
export function moment(time: string): number {
  return parseTime(at(time)) ?? Number.NaN
}

export function release(text: string): Release {
  const [version = '', name = version] = text.split('/')
  return { version, image: image(name) }
}

const states: Readonly<Record<string, UpdateState>> = { P: 'Partial', C: 'Completed' }

export function update(text: string): HistoryEntry {
  const [letter = '', of = '', times = '11:50'] = text.split(' ')
  const state = states[letter]
  if (state === undefined) throw new Error(`"${text}" does not begin with P or C`)
  const [started = '', ended] = times.split('-')
  return { state, startedTime: at(started), ...(ended === undefined ? {} : { completionTime: at(ended) }), ...release(of) }
}

export function history(...updates: readonly string[]): readonly HistoryEntry[] {
  return updates.map(update)
}

export function component(text: string): ComponentReport {
  const match = /^([^@]+)@([^+-]*)([+-])(?:#(\d+))?$/.exec(text)
  if (match === null) throw new Error(`"${text}" is no component, as in etcd@4.17.0+`)
  const [, name = '', version = '', sign, generation] = match
  return {
    metadata: { name },
    status: {
      version,
      conditions: [
        { type: 'Available', status: 'True' },
        sign === '+'
          ? { type: 'RolloutComplete', status: 'True', reason: 'AsExpected', message: '' }
          : { type: 'RolloutComplete', status: 'False', reason: 'WaitingForRolloutComplete', message: 'one of two is there' },
      ],
      ...(generation === undefined ? {} : { observedGeneration: Number(generation) }),
    },
  }
}

export function components(...texts: readonly string[]): readonly ComponentReport[] {
  return texts.map(component)
}
