/** The process that is measured: a fleet, and a server of it that keeps nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ControlPlaneComponent, HostedCluster, type KubernetesObject, NodePool } from '@windlass/api'
import { seededRandom, systemClock as clock } from '@windlass/core'
import { type ClusterRow, createFleet, type Fleet } from '@windlass/fleet'
import { silentLog } from '@windlass/kube'
import { serveJobs } from '../../job-process.ts'
import { GeneratedClient } from './generated-client.ts'
import { cluster, component, componentsEach, nameOf, pool, poolsEach, versionOf } from './objects.ts'

const random = seededRandom('events')
let running: { readonly fleet: Fleet; readonly client: GeneratedClient; readonly clusters: number } | undefined

const jobs = {
  /** Milliseconds until everything is known, and for the first answer after that. */
  async fill({ clusters }: { readonly clusters: number }) {
    const client = new GeneratedClient(clusters)
    const fleet = createFleet({ members: [{ name: 'east', connect: () => client }], clock, log: silentLog })
    const began = performance.now()
    void fleet.run(new AbortController().signal)
    await fleet.ready()
    const filled = performance.now()
    const view = fleet.view()
    const viewed = performance.now()
    const text = JSON.stringify(view)
    const written = performance.now()
    if (view.clusters.length !== clusters) throw new Error(`${view.clusters.length} of ${clusters} clusters are known`)
    running = { fleet, client, clusters }
    return { filled: filled - began, view: viewed - filled, json: written - viewed, bytes: text.length }
  },

  /** Milliseconds in which the server alone makes up, writes and reads all objects. */
  async bare({ clusters }: { readonly clusters: number }) {
    const client = new GeneratedClient(clusters)
    const began = performance.now()
    let objects = 0
    for (const kind of [HostedCluster, ControlPlaneComponent, NodePool])
      for await (const { items } of client.pages<KubernetesObject>(kind)) objects += items.length
    return { took: performance.now() - began, objects }
  },

  /** Milliseconds from when an event comes in until the row of its cluster says so, in order. */
  async events({ count }: { readonly count: number }) {
    if (running === undefined) throw new Error('there is no fleet to send events to')
    const { fleet, client, clusters } = running
    const times: number[] = []
    for (let event = 0; event < count; event++) {
      const index = random.below(clusters)
      const id = `east/clusters/${nameOf(index)}`
      const before = fleet.row(id)
      const send = change(client, index, before, event)
      const began = performance.now()
      send()
      // Everything on the way is a settled promise, unless a cache has been busy for long and lets others have a turn.
      for (let hop = 0; hop < 200 && fleet.row(id) === before; hop++) await (hop < 100 ? Promise.resolve() : sleep(1))
      times.push(performance.now() - began)
      if (fleet.row(id) === before) throw new Error(`event ${event}: the row of ${id} has not changed: ${JSON.stringify(before)}`)
      if (event % 50 === 49) await sleep(1)
    }
    return times.toSorted((a, b) => a - b)
  },

  /** Milliseconds of the whole answer to who is exposed. */
  async exposure({ fixedIn }: { readonly fixedIn: readonly string[] }) {
    if (running === undefined) throw new Error('there is no fleet to ask')
    const began = performance.now()
    const { counts } = running.fleet.exposure(fixedIn)
    return Promise.resolve({ took: performance.now() - began, counts })
  },

  async collectGarbage(_: object) {
    await sleep(500)
    globalThis.gc?.()
    await sleep(500)
    globalThis.gc?.()
    return process.memoryUsage()
  },
}

/** Makes an event ready that shows in the row of a cluster: eight of ten are about a component, as in an upgrade. */
function change(client: GeneratedClient, index: number, row: ClusterRow | undefined, event: number): () => void {
  const desired = row?.controlPlane.desired ?? ''
  if (event % 10 === 8) return () => client.send(NodePool, pool(index, 0, row?.nodes.ready === 3 * poolsEach ? 2 : 3))
  const isUpdating = desired !== versionOf(index)
  if (event % 10 === 9) return () => client.send(HostedCluster, cluster(index, isUpdating ? {} : { to: `4.21.${event}` }))
  // The first component alone moves: it is done when all are, or when nothing else is.
  const isDone = row?.progress?.done === componentsEach || row?.progress?.done === 1
  return () => client.send(ControlPlaneComponent, component(index, 0, isDone ? '4.0.0' : desired))
}

export type Subject = typeof jobs

serveJobs(jobs)
