import type { Clock } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { type Seen, seen, unseen } from '../observed/seen.ts'
import type { UpdateGraph } from '../validation/graph.ts'
import { parsePullspec, readManifest, versionLabel } from '../validation/pullspec.ts'
import { complaintOf, isWell, jsonOf } from './exchange.ts'
import { following } from './following.ts'
import { readPullSecret } from './ocm-credentials.ts'
import { Registry } from './registry.ts'
import type { Releases } from './types.ts'
import type { Ways } from './ways.ts'

export interface ReleaseOptions {
  readonly client: Client
  readonly ways: Ways
  readonly clock: Clock
  readonly userAgent: string
}

const graphLimit = 60_000
/** A list leads to an image, and an image to its configuration. A list of lists is nobody's release. */
const mostLists = 2

/** What registries and the update service know about releases. */
export function releaseClient({ client, ways, clock, userAgent }: ReleaseOptions): Releases {
  return {
    async imageVersion(image, architecture, signal): Promise<Seen<string>> {
      const pullspec = parsePullspec(image)
      if (pullspec === undefined) return unseen(`${image} is no image by digest: registry, namespace, name and sha256 digest must be there`)
      const registry = new Registry(pullspec, { ways, clock, userAgent, pullSecret: (stop) => readPullSecret(client, stop) })
      let { digest } = pullspec
      try {
        for (let lists = 0; lists <= mostLists; lists++) {
          const step = readManifest(await registry.manifest(digest, signal), architecture)
          if (step.is === 'unreadable') return unseen(`the manifest of ${image} cannot be used: ${step.problem}`)
          if (step.is === 'config') {
            const version = versionLabel(await registry.blob(step.digest, signal))
            return version === undefined ? unseen(`${image} is no release image: it has no label io.openshift.release`) : seen(version)
          }
          digest = step.digest
        }
        return unseen(`the manifest of ${image} cannot be used: it leads from list to list`)
      } catch (error) {
        signal.throwIfAborted()
        return unseen(`the version of ${image} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
      }
    },

    async updateGraph(url, signal): Promise<Seen<UpdateGraph>> {
      const headers = { accept: 'application/json', 'user-agent': userAgent }
      const outcome = await following({ ways, clock, url, limit: graphLimit, headers }, signal)
      if ('problem' in outcome) return unseen(`the update service did not answer: ${outcome.problem}`)
      const { origin } = new URL(url)
      if (!isWell(outcome)) {
        return unseen(
          `the update service at ${origin} answered with status ${outcome.status}${complaintOf(outcome.body, 'value', 'reason')}`,
        )
      }
      const graph = readGraph(jsonOf(outcome))
      return graph === undefined
        ? unseen(`the update service at ${origin} answered with something that is no graph of updates`)
        : seen(graph)
    },
  }
}

function readGraph(body: unknown): UpdateGraph | undefined {
  if (!isRecord(body) || !Array.isArray(body['nodes'])) return undefined
  const conditional = listOf(body['conditionalEdges']).filter(isRecord)
  return {
    // Edges name nodes by their place, so that one that cannot be read keeps its place.
    nodes: body['nodes'].map((node: unknown) => ({ version: textOf(node, 'version') })),
    edges: listOf(body['edges']).flatMap((edge) => {
      const [from, to]: readonly unknown[] = listOf(edge)
      return typeof from === 'number' && typeof to === 'number' ? [[from, to] as const] : []
    }),
    conditionalEdges: conditional.map(({ edges }) => ({
      edges: listOf(edges).map((edge) => ({ from: textOf(edge, 'from'), to: textOf(edge, 'to') })),
    })),
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown, name: string): string {
  const field = isRecord(value) ? value[name] : undefined
  return typeof field === 'string' ? field : ''
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
