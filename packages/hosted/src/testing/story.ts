import { Deployment, HostedCluster } from '@windlass/api'
import type { JsonObject } from '@windlass/api'
import { formatTime } from '@windlass/core'
import type { Random } from '@windlass/core'
import { isNotFound } from '@windlass/kube'
import type { World } from '@windlass/kube/simulation'
import { ask, change, clusterIn, home, refOf, releases } from './fleet.ts'
import { brokenAnnotation } from './workloads.ts'

/** Releases in the order in which clusters may go through them. Patches may go back, minors may not. */
const minors = [
  ['4.18.4', '4.18.9'],
  ['4.19.6', '4.19.7', '4.19.10'],
  ['4.20.1', '4.20.2'],
] as const

/** The same version, built anew: the catalogue has several images of each. */
const builds = ['x86_64', 'multi'] as const

/** Keeps a Deployment that is being deleted until somebody lets it go. */
const hold = 'test.windlass.dev/hold'

/** What people want of a cluster by now. */
interface Wanted {
  readonly name: string
  minor: number
  /** Pullspecs. */
  release: string
  controlPlaneRelease: string | undefined
  isGone: boolean
  /** Deployments that somebody has broken, or deleted and not let go. */
  readonly hurt: Set<string>
}

/**
 * What people do to a few clusters, chosen by the world's own chance: upgrades, one on top of the other, rebuilds, patches of the management side alone,
 * pauses, broken workloads, workloads that are slow to go, deletion. Nobody waits for the end of anything before the next thing happens.
 */
export class Story {
  readonly #world: World
  readonly #clusters: readonly Wanted[]
  /** For people who look at a failed run. */
  readonly told: string[] = []

  constructor(world: World, names: readonly string[]) {
    this.#world = world
    this.#clusters = names.map((name) => {
      const minor = world.random.below(2)
      const release = pullspec(world.random, minor)
      return { name, minor, release, controlPlaneRelease: undefined, isGone: false, hurt: new Set() }
    })
  }

  /** Clusters are asked for, then `deeds` things happen. */
  async tell(deeds: number): Promise<void> {
    const { client, random } = this.#world
    for (const { name, release } of this.#clusters) {
      this.#note(`${name} is asked for at ${release}`)
      await ask(client, { name, spec: { release: { image: release } } })
    }
    for (let deed = 0; deed < deeds; deed++) {
      // Installations and upgrades take a few minutes: most are not through when the next thing happens.
      await this.#world.sleep(random.below(6 * 60_000))
      const cluster = pick(random, this.#clusters)
      if (!cluster.isGone) await pick(random, this.#deeds)(cluster)
    }
  }

  /** Whoever broke something mends it, and pauses end. */
  async mend(): Promise<void> {
    for (const cluster of this.#clusters) {
      for (const name of cluster.hurt) await this.#annotate(cluster, name, { annotations: { [brokenAnnotation]: null }, finalizers: null })
      cluster.hurt.clear()
      if (!cluster.isGone) await change(this.#world, { spec: { pausedUntil: null } }, cluster.name)
    }
    this.#note('everything is mended')
  }

  /** Resolves when all that people asked for has come to be. */
  async cameTrue(within: string): Promise<void> {
    const wishes = await Promise.all(
      this.#clusters.map(async ({ name, isGone, release, controlPlaneRelease = release }) => ({
        name,
        isGone,
        guest: (await releases.resolve(release)).image,
        management: await releases.resolve(controlPlaneRelease),
      })),
    )
    await this.#world.until(
      () =>
        wishes.every(({ name, isGone, guest, management }) => {
          const cluster = clusterIn(this.#world, name)
          if (isGone) return cluster === undefined
          const { controlPlaneVersion, version } = cluster?.status ?? {}
          const [newest, said] = [controlPlaneVersion?.history?.[0], version?.history?.[0]]
          const isRunning = newest?.state === 'Completed' && newest.image === management.image && newest.version === management.version
          return isRunning && said?.state === 'Completed' && said.image === guest
        }),
      { within },
    )
  }

  /** All clusters that are left go too. */
  async end(): Promise<void> {
    for (const cluster of this.#clusters) if (!cluster.isGone) await this.#delete(cluster)
  }

  readonly #deeds: readonly ((cluster: Wanted) => Promise<void>)[] = [
    (cluster) => this.#upgrade(cluster),
    (cluster) => this.#upgrade(cluster),
    (cluster) => this.#rebuild(cluster),
    (cluster) => this.#patchManagementSide(cluster),
    (cluster) => this.#pause(cluster),
    (cluster) => this.#break(cluster),
    (cluster) => this.#deleteSlowly(cluster),
    (cluster) => this.#delete(cluster),
  ]

  async #upgrade(cluster: Wanted): Promise<void> {
    const { random } = this.#world
    cluster.minor = Math.min(cluster.minor + random.below(2), minors.length - 1)
    await this.#want(cluster, pullspec(random, cluster.minor), undefined)
    // Half of the time the next one comes before the first can have got far.
    if (random.below(2) === 0) return
    await this.#world.sleep(random.below(60_000))
    await this.#want(cluster, pullspec(random, cluster.minor), undefined)
  }

  #rebuild(cluster: Wanted): Promise<void> {
    const [first, second] = builds
    const rebuilt = cluster.release.endsWith(first) ? cluster.release.replace(first, second) : cluster.release.replace(second, first)
    return this.#want(cluster, rebuilt, undefined)
  }

  #patchManagementSide(cluster: Wanted): Promise<void> {
    return this.#want(cluster, cluster.release, pullspec(this.#world.random, cluster.minor))
  }

  async #want(cluster: Wanted, release: string, controlPlaneRelease: string | undefined): Promise<void> {
    Object.assign(cluster, { release, controlPlaneRelease })
    this.#note(
      `${cluster.name} is to run ${release}${controlPlaneRelease === undefined ? '' : `, its control plane ${controlPlaneRelease}`}`,
    )
    const patched = controlPlaneRelease === undefined ? null : { image: controlPlaneRelease }
    await change(this.#world, { spec: { release: { image: release }, controlPlaneRelease: patched } }, cluster.name)
  }

  async #pause({ name }: Wanted): Promise<void> {
    const { clock, random } = this.#world
    const pausedUntil = formatTime(clock.now() + random.below(30 * 60_000))
    this.#note(`${name} is paused until ${pausedUntil}`)
    await change(this.#world, { spec: { pausedUntil } }, name)
  }

  async #break(cluster: Wanted): Promise<void> {
    const name = this.#someDeployment(cluster)
    if (name === undefined) return
    this.#note(`${name} of ${cluster.name} breaks`)
    cluster.hurt.add(name)
    await this.#annotate(cluster, name, { annotations: { [brokenAnnotation]: '' } })
  }

  async #deleteSlowly(cluster: Wanted): Promise<void> {
    const name = this.#someDeployment(cluster)
    if (name === undefined) return
    this.#note(`${name} of ${cluster.name} is deleted, and does not go`)
    cluster.hurt.add(name)
    await this.#annotate(cluster, name, { finalizers: [hold] })
    await orGone(() => this.#world.client.delete(Deployment, { namespace: home(cluster.name), name }))
  }

  async #delete(cluster: Wanted): Promise<void> {
    this.#note(`${cluster.name} is deleted`)
    cluster.isGone = true
    await this.#world.client.delete(HostedCluster, refOf(cluster.name))
  }

  #someDeployment({ name, hurt }: Wanted): string | undefined {
    const names = this.#world.state
      .list(Deployment)
      .filter(({ metadata }) => metadata.namespace === home(name) && metadata.finalizers === undefined)
      .flatMap(({ metadata }) => metadata.name ?? [])
      .filter((each) => !hurt.has(each))
    return names.length === 0 ? undefined : pick(this.#world.random, names)
  }

  async #annotate({ name: cluster }: Wanted, name: string, metadata: JsonObject): Promise<void> {
    await orGone(() => this.#world.client.patch(Deployment, { namespace: home(cluster), name }, { metadata }))
  }

  #note(what: string): void {
    this.told.push(`${formatTime(this.#world.clock.now())} ${what}`)
  }
}

/** Somebody may have been faster. */
async function orGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function pullspec(random: Random, minor: number): string {
  return `example.com/ocp/release:${pick(random, minors[minor] ?? minors[0])}-${pick(random, builds)}`
}

function pick<T>(random: Random, from: readonly T[]): T {
  const [first, ...rest] = from
  if (first === undefined) throw new Error('there is nothing to choose from')
  return rest[random.below(from.length) - 1] ?? first
}
