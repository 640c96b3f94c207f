import type { MachineConfig, Node } from '@windlass/api'
import { isTrue } from '@windlass/core'
import type { NodeCount } from '../../contract/index.ts'
import { VersionTally } from '../versions.ts'

const currentConfig = 'machineconfiguration.openshift.io/currentConfig'
const releaseVersion = 'machineconfiguration.openshift.io/release-image-version'

/** Which version a machine config is of; empty when it does not say. */
export function versionOfConfig({ metadata }: MachineConfig): string {
  return metadata.annotations?.[releaseVersion] ?? ''
}

/**
 * The nodes of a classic cluster, counted. A node names the machine config that it has, and that is of a version; counting by configs means that nothing has to be
 * counted again when one of them becomes known.
 */
export class NodeTally {
  readonly #byConfig = new Map<string, number>()
  #total = 0
  #ready = 0

  /** A node takes the place of another; either may be missing. Returns whether that changes anything. */
  replace(old: Node | undefined, node: Node | undefined): boolean {
    const [before, after] = [seen(old), seen(node)]
    if (before?.config === after?.config && before?.isReady === after?.isReady) return false
    if (before !== undefined) this.#count(before, -1)
    if (after !== undefined) this.#count(after, 1)
    return true
  }

  count(versionOf: (config: string) => string): NodeCount {
    const versions = new VersionTally()
    for (const [config, count] of this.#byConfig) versions.add(config === '' ? '' : versionOf(config), count)
    return { wanted: this.#total, ready: this.#ready, versions: versions.list() }
  }

  #count({ config, isReady }: Seen, by: 1 | -1): void {
    this.#total += by
    if (isReady) this.#ready += by
    const count = (this.#byConfig.get(config) ?? 0) + by
    if (count === 0) this.#byConfig.delete(config)
    else this.#byConfig.set(config, count)
  }
}

interface Seen {
  readonly config: string
  readonly isReady: boolean
}

function seen(node: Node | undefined): Seen | undefined {
  if (node === undefined) return undefined
  return { config: node.metadata.annotations?.[currentConfig] ?? '', isReady: isTrue(node.status?.conditions, 'Ready') }
}
