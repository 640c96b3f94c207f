import type { ConfigMap, HostedCluster } from '@windlass/api'
import { failed, found, type Lookup } from '../../hosted-cluster/index.ts'
import type { ObservedNodePool } from '../observed.ts'
import { apiProxyConfig } from './api-proxy.ts'
import { type ConfigDocument, type Documents, readDocuments, recordIn } from './documents.ts'

/** The machine configuration of a pool: all manifests as one text, in an order that does not depend on where they came from. */
export interface RawConfig {
  readonly text: string
  /** Whether containers are run by runc, which newer operating systems do not have. */
  readonly usesRunc: boolean
}

type Observed = Pick<ObservedNodePool, 'pool' | 'configMaps' | 'controlPlaneOperator'> & {
  readonly cluster: HostedCluster
  readonly images: ReadonlyMap<string, string>
}

/** Gathers the configuration. When something is wrong with it, everything that is wrong is told at once. */
export function rawConfig(observed: Observed): Lookup<RawConfig> {
  const { core } = observed.configMaps
  const parts: readonly Documents[] = [
    proxyPart(observed),
    corePart(observed.cluster, core, observed.controlPlaneOperator.leavesProxyConfigToUs),
    referencedPart(observed),
    gathered(isTuningEnabled(observed.cluster) ? observed.configMaps.tuningOutput : []),
  ]
  const problems = parts.flatMap((part) => part.problems)
  if (problems.length > 0) return failed(aggregated(problems))
  const documents = parts.flatMap((part) => part.documents)
  const texts = documents.map(({ text }) => text).toSorted()
  return found({ text: texts.join('\n---\n'), usesRunc: documents.some(isRunc) })
}

/** Whether containers are run by runc, for those who need not know the rest: what cannot be read does not count. */
export function asksForRunc({ cluster, configMaps }: Pick<Observed, 'cluster' | 'configMaps'>): boolean {
  const tuned = isTuningEnabled(cluster) ? configMaps.tuningOutput : []
  return gathered([...configMaps.core, ...configMaps.referenced, ...tuned]).documents.some(isRunc)
}

/** Several problems as one text. */
export function aggregated(problems: readonly string[]): string {
  return problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`
}

export function isTuningEnabled({ spec }: HostedCluster): boolean {
  return spec.capabilities?.disabled?.includes('NodeTuning') !== true
}

function proxyPart({ pool, cluster, images, controlPlaneOperator }: Observed): Documents {
  if (!controlPlaneOperator.leavesProxyConfigToUs) return { documents: [], problems: [] }
  const config = apiProxyConfig({ pool, cluster, images, operatorImage: controlPlaneOperator.image })
  return config.is === 'found' ? { documents: [config.value], problems: [] } : { documents: [], problems: [config.problem] }
}

/** Fewer than expected means that the control plane has not written all of them yet: nodes must not be made without. */
function corePart({ spec }: HostedCluster, configMaps: readonly ConfigMap[], isProxyOurs: boolean): Documents {
  const expected = 3 + ((spec.imageContentSources ?? []).length > 0 ? 1 : 0) - (isProxyOurs ? 1 : 0)
  const { documents, problems } = gathered(configMaps)
  if (configMaps.length === expected) return { documents, problems }
  return { documents, problems: [`expected ${expected} core ignition configs, found ${configMaps.length}`, ...problems] }
}

function referencedPart({ pool, configMaps }: Observed): Documents {
  const { namespace = '' } = pool.metadata
  const names = (pool.spec.config ?? []).map(({ name = '' }) => name)
  const present = new Map(configMaps.referenced.map((configMap) => [configMap.metadata.name, configMap]))
  const missing = names.filter((name) => !present.has(name)).map((name) => `configmap "${name}" not found in namespace "${namespace}"`)
  const { documents, problems } = gathered(names.flatMap((name) => present.get(name) ?? []))
  return { documents, problems: [...missing, ...problems] }
}

function gathered(configMaps: readonly ConfigMap[]): Documents {
  const parts = configMaps.map(readDocuments)
  return { documents: parts.flatMap(({ documents }) => documents), problems: parts.flatMap(({ problems }) => problems) }
}

function isRunc({ kind, value }: ConfigDocument): boolean {
  return kind === 'ContainerRuntimeConfig' && recordIn(recordIn(value, 'spec'), 'containerRuntimeConfig')['defaultRuntime'] === 'runc'
}
