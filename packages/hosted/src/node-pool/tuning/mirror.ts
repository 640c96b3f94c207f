import { ConfigMap } from '@windlass/api'
import { type Action, ensure, ensurePatch, remove } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import { failed, found, type Lookup } from '../../hosted-cluster/index.ts'
import { aggregated, type Manifest, parseManifest, recordIn, splitDocuments } from '../config/index.ts'
import { hashOfText } from '../hash.ts'
import { shortName } from '../names.ts'
import type { Seen } from '../seen.ts'
import { Annotation, Label } from '../wire.ts'

const tuningKey = 'tuning'
const configKey = 'config'
const longestName = 63

/** What of the configuration goes on to those who look after tuning in the namespace of the control plane, by kind. */
const mirrors: Readonly<Record<string, { readonly prefix: string; readonly label: string; readonly key: string }>> = {
  Tuned: { prefix: 'tuned', label: Label.tuned, key: tuningKey },
  PerformanceProfile: { prefix: 'perfprofile', label: Label.performanceProfile, key: tuningKey },
  KubeletConfig: { prefix: 'kubeletconfig', label: Label.kubeletConfig, key: configKey },
  ContainerRuntimeConfig: { prefix: 'containerruntimeconfig', label: Label.containerRuntimeConfig, key: configKey },
}

interface Piece {
  readonly kind: string
  readonly name: string
  readonly text: string
}

/** The copies that there should be; or everything that is wrong with what they are made from. */
export function tuningMirrors(seen: Seen): Lookup<readonly Draft<ConfigMap>[]> {
  const { pool, configMaps } = seen
  const present = new Map(configMaps.referenced.map((configMap) => [configMap.metadata.name, configMap]))
  const problems: string[] = []
  const pieces: Piece[] = []
  for (const { name = '' } of pool.spec.tuningConfig ?? []) {
    const result = tuningPieces(name, present.get(name))
    if (result.is === 'failed') problems.push(result.problem)
    else pieces.push(...result.value)
  }
  const profiles = pieces.filter(({ kind }) => kind === 'PerformanceProfile')
  if (profiles.length > 1) problems.push(`there cannot be more than one PerformanceProfile per NodePool. found: ${profiles.length}`)
  if (problems.length > 0) return failed(aggregated(problems))
  const nodeConfigs = (pool.spec.config ?? []).flatMap(({ name = '' }) => configPieces(present.get(name)))
  return found([...gathered(seen, pieces), ...nodeConfigs.map((piece) => copyOf(seen, piece))])
}

/** Brings the copies up to date, and deletes those that are no longer wanted. What others have put there stays. */
export function mirrorActions({ configMaps, key }: Seen, drafts: readonly Draft<ConfigMap>[]): readonly Action[] {
  const live = new Map(configMaps.mirrored.map((configMap) => [configMap.metadata.name, configMap]))
  const wanted = new Set(drafts.map(({ metadata }) => metadata.name))
  const written = drafts.filter((draft) => {
    const known = live.get(draft.metadata.name ?? '')
    return known === undefined || ensurePatch(known, draft, ['data']) !== undefined
  })
  const isOurs = ({ metadata: { labels = {}, annotations } }: ConfigMap): boolean =>
    annotations?.[Annotation.nodePool] === key && Object.values(mirrors).some(({ label }) => labels[label] === 'true')
  const stale = configMaps.mirrored.filter(
    (configMap) => isOurs(configMap) && !wanted.has(configMap.metadata.name) && configMap.metadata.deletionTimestamp === undefined,
  )
  return [
    ...written.map((draft) => ensure(ConfigMap, draft, 'the pool is tuned with it', { owns: ['data'] })),
    ...stale.map((configMap) => remove(ConfigMap, configMap, 'the pool is not tuned with it any more')),
  ]
}

function tuningPieces(name: string, configMap: ConfigMap | undefined): Lookup<readonly Piece[]> {
  if (configMap === undefined) return failed(`configmap "${name}" not found`)
  const text = configMap.data?.[tuningKey]
  if (text === undefined) return failed(`no manifest found in configmap "${name}" with key "${tuningKey}"`)
  const pieces: Piece[] = []
  for (const part of splitDocuments(text)) {
    const manifest = parseManifest(part)
    const problem = typeof manifest === 'string' ? manifest : tuningProblem(manifest)
    if (typeof manifest === 'string' || problem !== undefined)
      return failed(`configmap "${name}" yaml document failed validation: ${problem}`)
    pieces.push(pieceOf(manifest, part))
  }
  return found(pieces)
}

function tuningProblem({ kind }: Manifest): string | undefined {
  const isKnown = kind === 'Tuned' || kind === 'PerformanceProfile'
  return isKnown ? undefined : `unsupported tuningConfig object type: ${String(kind)}; nodes are tuned with Tuned and PerformanceProfile`
}

/** What is wrong with machine configuration is told by ValidMachineConfig. */
function configPieces(configMap: ConfigMap | undefined): readonly Piece[] {
  return splitDocuments(configMap?.data?.[configKey] ?? '').flatMap((part) => {
    const manifest = parseManifest(part)
    if (typeof manifest === 'string') return []
    return manifest['kind'] === 'KubeletConfig' || manifest['kind'] === 'ContainerRuntimeConfig' ? [pieceOf(manifest, part)] : []
  })
}

function pieceOf(manifest: Manifest, text: string): Piece {
  const { name } = recordIn(manifest, 'metadata')
  return { kind: String(manifest['kind']), name: typeof name === 'string' ? name : '', text }
}

/** All of a kind in one ConfigMap, in an order that does not depend on where they came from. */
function gathered(seen: Seen, pieces: readonly Piece[]): readonly Draft<ConfigMap>[] {
  const byKind = Map.groupBy(pieces, ({ kind }) => kind)
  return [...byKind].map(([kind, all]) => {
    const text = all
      .map((piece) => piece.text)
      .toSorted()
      .join('\n---\n')
    return copyOf(seen, { kind, name: '', text })
  })
}

function copyOf({ namespace, name: pool, key }: Seen, { kind, name, text }: Piece): Draft<ConfigMap> {
  const { prefix = kind.toLowerCase(), label = '', key: dataKey = tuningKey } = mirrors[kind] ?? {}
  const isMirrored = dataKey === configKey
  // Several of a kind can be there: each has a copy of its own.
  const base = isMirrored ? `${prefix}-${hashOfText(name)}` : prefix
  return {
    metadata: {
      name: shortName(base, pool, longestName),
      namespace,
      labels: { [label]: 'true', [Label.nodePool]: pool, ...(isMirrored ? { [Label.mirrored]: 'true' } : {}) },
      annotations: { [Annotation.nodePool]: key },
    },
    data: { [dataKey]: text },
  }
}
