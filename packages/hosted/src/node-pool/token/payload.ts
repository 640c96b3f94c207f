import { type Manifest, parseManifest, recordIn, splitDocuments } from '../config/index.ts'

/** What a payload is made from. */
export interface PayloadRequest {
  /** The machine configuration: manifests as one text. */
  readonly config: string
  /** The pullspec of the release that nodes are to run. */
  readonly release: string
  readonly version: string
  /** Where the control plane is. */
  readonly namespace: string
}

/**
 * Makes what a machine is configured with when it starts for the first time, as Ignition reads it.
 *
 * Errors: what it throws is shown on the pool.
 */
export type PayloadGenerator = (request: PayloadRequest, signal: AbortSignal) => Promise<string>

const manifestFolder = '/etc/kubernetes/machine-config'

/**
 * A payload of all machine configurations, one over the other in the order of their names: of two files or units of the same name the later one
 * counts.
 *
 * Caveat: what only the machine config operator of the release can render (KubeletConfigs, mirrors) is handed over as manifests, for the node to have.
 */
export function mergedPayload({ config, version }: Pick<PayloadRequest, 'config' | 'version'>): string {
  const documents = splitDocuments(config).map((text) => ({ text, manifest: manifestIn(text) }))
  const configs = documents
    .filter(({ manifest }) => manifest['kind'] === 'MachineConfig')
    .map(({ manifest }) => manifest)
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const others = documents.filter(({ manifest }) => manifest['kind'] !== 'MachineConfig')
  const files = [
    file(`${manifestFolder}/version`, version),
    ...others.map(({ text, manifest }) =>
      file(`${manifestFolder}/${String(manifest['kind']).toLowerCase()}-${nameOf(manifest)}.yaml`, text),
    ),
    ...configs.flatMap((each) => listIn(recordIn(ignitionIn(each), 'storage'), 'files')),
  ]
  return JSON.stringify({
    ignition: { version: '3.2.0' },
    passwd: {
      users: byKey(
        configs.flatMap((each) => listIn(recordIn(ignitionIn(each), 'passwd'), 'users')),
        'name',
      ),
    },
    storage: { files: byKey(files, 'path') },
    systemd: {
      units: byKey(
        configs.flatMap((each) => listIn(recordIn(ignitionIn(each), 'systemd'), 'units')),
        'name',
      ),
    },
  })
}

function manifestIn(text: string): Manifest {
  const manifest = parseManifest(text)
  if (typeof manifest === 'string') throw new Error(`the machine configuration cannot be read: ${manifest}`)
  return manifest
}

function ignitionIn(manifest: Manifest): Manifest {
  return recordIn(recordIn(manifest, 'spec'), 'config')
}

function nameOf(manifest: Manifest): string {
  const { name } = recordIn(manifest, 'metadata')
  return typeof name === 'string' ? name : ''
}

function listIn(record: Manifest, key: string): readonly Manifest[] {
  const value = record[key]
  return Array.isArray(value) ? value.filter((each): each is Manifest => typeof each === 'object' && each !== null) : []
}

/** The last of each name, in the order of their names. */
function byKey(entries: readonly Manifest[], key: string): readonly Manifest[] {
  const last = new Map(entries.map((entry) => [String(entry[key]), entry]))
  return [...last].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
}

function file(path: string, contents: string): Manifest {
  const source = `data:text/plain;charset=utf-8;base64,${Buffer.from(contents).toString('base64')}`
  return { path, mode: 0o644, overwrite: true, contents: { source } }
}
