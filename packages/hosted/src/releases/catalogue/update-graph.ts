import type { Catalogue, ConditionalUpdate, Risk } from './catalogue.ts'

export interface GraphQuery {
  /** `stable-4.20` */
  readonly channel: string
  /** `amd64` unless told. */
  readonly architecture?: string
}

/** Which updates there are, in the form that update services answer in: edges are pairs of positions in `nodes`. */
export interface UpdateGraph {
  readonly nodes: readonly { readonly version: string; readonly payload: string; readonly metadata: Readonly<Record<string, string>> }[]
  readonly edges: readonly (readonly [number, number])[]
  readonly conditionalEdges: readonly {
    readonly edges: readonly { readonly from: string; readonly to: string }[]
    readonly risks: readonly (Risk & { readonly matchingRules: readonly { readonly type: 'Always' }[] })[]
  }[]
}

/** The graph of a channel. An update that has a risk is not among the ordinary ones. */
export function updateGraph(catalogue: Catalogue, { channel, architecture = 'amd64' }: GraphQuery): UpdateGraph {
  const nodes = catalogue.releases.filter((release) => release.architecture === architecture && release.channels.includes(channel))
  const positions = new Map(nodes.map(({ version }, index) => [version, index]))
  const conditional = catalogue.conditionalUpdates.flatMap((update) => within(update, positions))
  const risky = new Set(conditional.flatMap(({ from, to }) => from.map((version) => `${version} ${to}`)))
  return {
    nodes: nodes.map(({ version, pullspecs, digest, metadata, channels }) => ({
      version,
      payload: payloadOf(pullspecs[0] ?? '', digest),
      metadata: {
        'io.openshift.upgrades.graph.release.channels': channels.join(','),
        ...(metadata.url === undefined ? {} : { url: metadata.url }),
      },
    })),
    edges: nodes.flatMap(({ version, metadata }, to) =>
      metadata.previous.flatMap((previous) => {
        const from = positions.get(previous)
        return from === undefined || risky.has(`${previous} ${version}`) ? [] : [[from, to] as const]
      }),
    ),
    conditionalEdges: conditional.map(({ from, to, risks }) => ({
      edges: from.map((version) => ({ from: version, to })),
      risks: risks.map((risk) => ({ ...risk, matchingRules: [{ type: 'Always' }] as const })),
    })),
  }
}

/** As much of an update as the channel has. */
function within(update: ConditionalUpdate, positions: ReadonlyMap<string, number>): readonly ConditionalUpdate[] {
  const from = update.from.filter((version) => positions.has(version))
  return positions.has(update.to) && from.length > 0 ? [{ ...update, from }] : []
}

/** By digest where there is one: that is what clusters are told to pull. */
function payloadOf(pullspec: string, digest: string | undefined): string {
  return digest === undefined ? pullspec : `${pullspec.replace(/@.*$/, '').replace(/:[^/:]*$/, '')}@${digest}`
}
