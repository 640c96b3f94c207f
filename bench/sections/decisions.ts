import type { ControlPlaneComponent, HostedControlPlane } from '@windlass/api'
import { aControlPlaneComponent, aHostedControlPlane, aReleaseImage } from '@windlass/api/fixtures'
import { nextControlPlaneVersion } from '@windlass/core'
import { decide } from '../../packages/hosted/src/control-plane-version/decide.ts'
import type { Bench } from '../bench.ts'
import { goals } from '../goals.ts'

const components = 38
/** Different ones, so that no single object is all that the compiler ever sees. */
const clusters = 64
const now = Date.UTC(2026, 2, 6, 12)

type State = 'Completed' | 'Partial'

/** How long it takes to find out what `controlPlaneVersion` should say, with histories of several lengths: when all is done, and in the middle of an update. */
export async function measureDecisions(bench: Bench): Promise<void> {
  for (const [entries, goal] of goals.decision) {
    for (const state of ['Completed', 'Partial'] as const) {
      const observed = observedWith(entries, state)
      const name = `controlPlaneVersion, ${entries} entries, ${state === 'Completed' ? 'at rest' : 'updating'}`
      bench.add({ name, value: await fastest(bench, observed, next), unit: 'us', goal })
      bench.add({ name: `${name}, with the plan`, value: await fastest(bench, observed, plan), unit: 'us' })
    }
  }
}

function observedWith(entries: number, state: State) {
  return Array.from({ length: clusters }, (_, index) => ({
    controlPlane: controlPlane(index, entries, state),
    release: { release: { version: versionOf(entries), image: aReleaseImage(versionOf(entries)) } },
    components: Array.from({ length: components }, (_, number) => component(number, entries, state)),
    expected: new Set(['kube-apiserver']),
  }))
}

/** In the middle of an update the last component is still where it was: all of them have to be looked at. */
function component(number: number, entries: number, state: State): ControlPlaneComponent {
  const isBehind = state === 'Partial' && number === components - 1
  return aControlPlaneComponent({
    name: number === 0 ? 'kube-apiserver' : `component-${number}`,
    version: versionOf(isBehind ? entries - 1 : entries),
  })
}

function controlPlane(index: number, entries: number, state: State): HostedControlPlane {
  const version = versionOf(entries)
  const base = aHostedControlPlane({ name: `prod-${index}`, release: version, metadata: { generation: 1 } })
  const history = Array.from({ length: entries }, (_, age) => {
    const isCompleted = age > 0 || state === 'Completed'
    return {
      state: isCompleted ? 'Completed' : 'Partial',
      startedTime: timeAt(age, 0),
      ...(isCompleted ? { completionTime: timeAt(age, 30) } : {}),
      version: versionOf(entries - age),
      image: aReleaseImage(versionOf(entries - age)),
    } as const
  })
  const desired = { version, image: aReleaseImage(version) }
  const status = { ...base.status, controlPlaneVersion: { desired, history, observedGeneration: 1 } } as NonNullable<
    HostedControlPlane['status']
  >
  return { ...base, status }
}

/** One string for each version, as caches have it. */
const versions = Array.from({ length: 101 }, (_, number) => `4.19.${number}`)
const versionOf = (number: number): string => versions[number] ?? ''
const timeAt = (age: number, minutes: number): string =>
  new Date(now - (age + 1) * 3_600_000 + minutes * 60_000).toISOString().replace('.000', '')

type Observed = ReturnType<typeof observedWith>[number]

/** The rule alone. */
function next({ controlPlane: { metadata, status }, release, components, expected }: Observed): void {
  const before = status?.controlPlaneVersion
  const seen = { desired: release.release, generation: metadata.generation ?? 0, components, expected }
  if (nextControlPlaneVersion(before, seen, now) !== before) throw new Error('something has changed: what was given is how things are')
}

/** With everything that a controller makes of it. */
function plan(observed: Observed): void {
  const { actions } = decide(observed, now)
  if (actions.length > 0) throw new Error(`something is to be done: ${actions[0]?.reason ?? ''}`)
}

/** Microseconds for each, in the best of some rounds. */
async function fastest(bench: Bench, observed: readonly Observed[], step: (observed: Observed) => void): Promise<number> {
  const { perSecond } = await bench.best(async () => {
    const started = performance.now()
    let count = 0
    for (; performance.now() - started < bench.roundSeconds * 200; count += clusters) for (const each of observed) step(each)
    return { perSecond: (count * 1000) / (performance.now() - started) }
  })
  return 1e6 / perSecond
}
