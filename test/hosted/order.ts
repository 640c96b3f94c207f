import assert from 'node:assert/strict'
import type { ControlPlaneComponent, CronJob, Deployment, HostedControlPlane, Job, StatefulSet } from '@windlass/api'
import { type Change, resourcePrefix } from '@windlass/apiserver'
import { isSatisfied } from '../../packages/hosted/src/components/dependencies.ts'
import { Annotation, registry } from '../../packages/hosted/src/components/index.ts'
import { allDependenciesOf } from '../../packages/hosted/src/components/registry-of.ts'
import { workloadStatus } from '../../packages/hosted/src/components/workload-status.ts'
import { homeOf } from './cluster.ts'
import type { TestRelease } from './releases.ts'

type Workload = Deployment | StatefulSet | Job | CronJob

/** When parts of a control plane were told to run a release, and when they had done so, in revisions. */
interface Course {
  /** By workload: when it first asked for the release. */
  readonly begun: ReadonlyMap<string, number>
  /** By component: when others that depend on it did not have to wait any longer. */
  readonly finished: ReadonlyMap<string, number>
  /** When the history said so of the whole. */
  readonly completed: number | undefined
}

/**
 * Asserts that every component of a control plane was given a release, only when everything that it depends on by the registry had finished with it, and
 * that the release was Completed only when all had. What does not run in this control plane is not waited for.
 */
export function assertInOrder(changes: readonly Change[], cluster: string, release: TestRelease, names: readonly string[]): void {
  const { version } = release
  const { begun, finished, completed } = courseOf(changes, cluster, release)
  let compared = 0
  for (const name of names) {
    const component = registry.get(name) ?? assert.fail(`${name} is no component`)
    const beginning = begun.get(name) ?? assert.fail(`${name} was never given ${version}`)
    const end = finished.get(name) ?? assert.fail(`${name} never finished ${version}`)
    assert.ok(completed !== undefined && end < completed, `${version} was Completed at ${completed}, and ${name} had it at ${end}`)
    for (const dependency of allDependenciesOf(component).filter((other) => names.includes(other))) {
      const before = finished.get(dependency) ?? assert.fail(`${dependency} never finished ${version}`)
      assert.ok(before < beginning, `${name} was given ${version} at ${beginning}, and ${dependency} had it at ${before}`)
      compared++
    }
  }
  assert.ok(compared >= names.length, `only ${compared} dependencies were looked at`)
}

/**
 * The same for a release whose version runs already: components do not wait for each other, and the whole waits until the workloads of all of them run
 * what they were given.
 */
export function assertAllRunning(changes: readonly Change[], cluster: string, release: TestRelease, names: readonly string[]): void {
  const { completed } = courseOf(changes, cluster, release)
  assert.ok(completed !== undefined, `${release.image} was never Completed`)
  const workloads = workloadsAt(completed, changes, cluster)
  for (const name of names) {
    const workload = workloads.get(name) ?? assert.fail(`there was no ${name} when ${release.image} was Completed`)
    const { status, message } = workloadStatus(workload).rolledOut
    assert.deepEqual(
      [releaseOf(workload), status],
      [release.pullspec, 'True'],
      `${name} when it was Completed, at ${completed}: ${message}`,
    )
  }
}

/** By name, as they were at a revision. */
function workloadsAt(moment: number, changes: readonly Change[], cluster: string): ReadonlyMap<string, Workload> {
  const workloads = new Map<string, Workload>()
  for (const { key, revision, bytes, type } of changes) {
    const [resource, name = ''] = placeIn(homeOf(cluster), key)
    if (revision > moment) break
    if (resource === undefined || resource === 'hostedcontrolplanes' || resource === 'controlplanecomponents') continue
    if (type === 'deleted') workloads.delete(name)
    else workloads.set(name, JSON.parse(bytes.toString()) as Workload)
  }
  return workloads
}

function courseOf(changes: readonly Change[], cluster: string, { version, pullspec, image }: TestRelease): Course {
  const begun = new Map<string, number>()
  const finished = new Map<string, number>()
  let completed: number | undefined
  for (const { key, revision, bytes, type } of changes) {
    const [resource, name] = placeIn(homeOf(cluster), key)
    if (resource === undefined || name === undefined || type === 'deleted') continue
    const object: unknown = JSON.parse(bytes.toString())
    if (resource === 'hostedcontrolplanes') {
      const newest = (object as HostedControlPlane).status?.controlPlaneVersion?.history?.[0]
      if (newest?.state === 'Completed' && newest.image === image) completed ??= revision
    } else if (resource === 'controlplanecomponents') {
      if (!finished.has(name) && isSatisfied(object as ControlPlaneComponent, version)) finished.set(name, revision)
    } else if (!begun.has(name) && releaseOf(object as Workload) === pullspec) {
      begun.set(name, revision)
    }
  }
  return { begun, finished, completed }
}

const prefixes: readonly (readonly [resource: string, prefix: string])[] = (
  [
    ['hypershift.openshift.io', ['hostedcontrolplanes', 'controlplanecomponents']],
    ['apps', ['deployments', 'statefulsets']],
    ['batch', ['jobs', 'cronjobs']],
  ] as const
).flatMap(([group, resources]) => resources.map((resource) => [resource, resourcePrefix('root', group, resource)] as const))

/** Which of the kinds that matter here it is of, and its name; nothing for what is elsewhere. */
function placeIn(home: string, key: string): readonly [resource?: string, name?: string] {
  for (const [resource, prefix] of prefixes) {
    if (key.startsWith(`${prefix}${home}/`)) return [resource, key.slice(prefix.length + home.length + 1)]
  }
  return []
}

function releaseOf(workload: Workload): string | undefined {
  const spec = workload.kind === 'CronJob' ? workload.spec?.jobTemplate.spec : workload.spec
  return spec?.template?.metadata?.annotations?.[Annotation.releaseImage]
}
