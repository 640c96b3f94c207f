import type { ConfigMap } from '@windlass/api'
import { isMap, parseDocument, stringify } from 'yaml'

/** One manifest of a machine configuration, as it goes to the nodes. */
export interface ConfigDocument {
  readonly kind: string
  readonly text: string
  readonly value: Manifest
}

/** What can be taken from a ConfigMap, and what is wrong with the rest. */
export interface Documents {
  readonly documents: readonly ConfigDocument[]
  readonly problems: readonly string[]
}

export type Manifest = Readonly<Record<string, unknown>>

const configKey = 'config'

const separator = /^---[ \t]*(?:#.*)?$/m

/** How a manifest is written. */
type Writing = (text: string, manifest: Manifest) => string

/** What nodes may be configured with, by group and kind. */
const writings: Readonly<Record<string, Writing>> = {
  'machineconfiguration.openshift.io MachineConfig': (_, manifest) => encode(forWorkers(manifest)),
  'machineconfiguration.openshift.io KubeletConfig': (_, manifest) => encode(forOurPool(manifest)),
  'machineconfiguration.openshift.io ContainerRuntimeConfig': (_, manifest) => encode(forOurPool(manifest)),
  'operator.openshift.io ImageContentSourcePolicy': (text) => text,
  'config.openshift.io ImageDigestMirrorSet': (text) => text,
  'config.openshift.io ClusterImagePolicy': (text) => text.replace(/^apiVersion:.*v1alpha1.*$/m, 'apiVersion: config.openshift.io/v1'),
}

/** ConfigMaps are immutable values: one that was read needs not be read again, and most passes change none. */
const read = new WeakMap<ConfigMap, Documents>()

/** Reads all manifests of a ConfigMap. */
export function readDocuments(configMap: ConfigMap): Documents {
  const known = read.get(configMap) ?? documentsIn(configMap)
  read.set(configMap, known)
  return known
}

function documentsIn({ metadata: { name = '' }, data }: ConfigMap): Documents {
  const config = data?.[configKey]
  if (config === undefined) return { documents: [], problems: [`no manifest found in configmap "${name}" with key "${configKey}"`] }
  const documents: ConfigDocument[] = []
  const problems: string[] = []
  for (const text of splitDocuments(config)) {
    const result = readDocument(text)
    if (typeof result === 'string') problems.push(`configmap "${name}" yaml document failed validation: ${result}`)
    else documents.push(result)
  }
  return { documents, problems }
}

export function splitDocuments(text: string): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.replace(/^\n+|\s+$/g, ''))
    .filter((part) => part.trim() !== '')
}

/** The manifest, or what is wrong with it. */
function readDocument(text: string): ConfigDocument | string {
  const value = parseManifest(text)
  if (typeof value === 'string') return value
  const { apiVersion, kind } = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return 'it has no apiVersion and kind'
  const writing = writings[`${apiVersion.replace(/\/.*$/, '')} ${kind}`]
  if (writing === undefined) {
    return `unsupported config type: ${apiVersion}, Kind=${kind}; nodes take ${Object.keys(writings)
      .map((name) => name.replace(/^\S+ /, ''))
      .join(', ')}`
  }
  return { kind, text: writing(text, value), value }
}

/**
 * A manifest as a value, or what is wrong with it. The notation is YAML 1.1, as Kubernetes reads it: the mode `0644` is octal. Times stay texts.
 */
export function parseManifest(text: string): Manifest | string {
  const document = parseDocument(text, {
    version: '1.1',
    prettyErrors: true,
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:timestamp'),
  })
  const [error] = document.errors
  if (error !== undefined) return `it is no YAML: ${error.message.split('\n')[0] ?? ''}`
  if (!isMap(document.contents)) return 'it is not an object'
  return document.toJS() as Manifest
}

/** The same value always gives the same text, whatever the order of its keys. */
export function encode(value: Manifest): string {
  return stringify(value, { sortMapEntries: true, lineWidth: 0, version: '1.1', aliasDuplicateObjects: false }).trimEnd()
}

const roleLabel = 'machineconfiguration.openshift.io/role'
const poolSelector = { matchLabels: { 'machineconfiguration.openshift.io/mco-built-in': '' } }

function forWorkers(manifest: Manifest): Manifest {
  const metadata = recordIn(manifest, 'metadata')
  return { ...manifest, metadata: { ...metadata, labels: { ...recordIn(metadata, 'labels'), [roleLabel]: 'worker' } } }
}

function forOurPool(manifest: Manifest): Manifest {
  return { ...manifest, spec: { ...recordIn(manifest, 'spec'), machineConfigPoolSelector: poolSelector } }
}

export function recordIn(record: Manifest, key: string): Manifest {
  const value = record[key]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Manifest) : {}
}
