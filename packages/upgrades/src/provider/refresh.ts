import type { UpgradeConfig } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { desiredVersion, entryOf } from '../upgrade-config/history.ts'

export type UpgradeSpec = UpgradeConfig['spec']

/** What a provider wants, and what is there. */
export interface RefreshView {
  /** Only the first counts. */
  readonly specs: readonly UpgradeSpec[]
  readonly upgradeConfig: UpgradeConfig | undefined
  readonly hasCommenced: boolean
}

export type RefreshDecision = {
  readonly result: 'changed' | 'unchanged'
} & (
  | { readonly do: 'nothing' }
  /** `tearsDown`: silences and extra machines of an upgrade that had begun go first. */
  | { readonly do: 'delete'; readonly tearsDown: boolean }
  | { readonly do: 'create' | 'update'; readonly spec: UpgradeSpec }
  | { readonly do: 'replace'; readonly spec: UpgradeSpec; readonly tearsDown: boolean }
)

const nothing: RefreshDecision = { do: 'nothing', result: 'unchanged' }

/** Brings the UpgradeConfig in line with what the provider wants. One whose update has been commenced stays until that is over: somebody must see it through. */
export function decideRefresh({ specs, upgradeConfig, hasCommenced }: RefreshView): RefreshDecision {
  const [spec] = specs
  const isUpgrading = upgradeConfig !== undefined && entryOf(upgradeConfig)?.phase === 'Upgrading'
  if (spec === undefined) {
    if (upgradeConfig === undefined) return nothing
    if (isUpgrading && hasCommenced) return nothing
    return { do: 'delete', tearsDown: isUpgrading, result: 'changed' }
  }
  if (upgradeConfig === undefined) return { do: 'create', spec, result: 'changed' }
  if (isSameSpec(spec, upgradeConfig.spec)) return nothing
  const isSameTarget =
    (spec.desired.version ?? '') === desiredVersion(upgradeConfig) && isSameText(spec.desired.image, upgradeConfig.spec.desired.image)
  if (isUpgrading && hasCommenced && isSameTarget) return { do: 'update', spec, result: 'unchanged' }
  return { do: 'replace', spec, tearsDown: isUpgrading && !hasCommenced, result: 'changed' }
}

/** Field by field. What is absent and what is empty are the same, and so are two ways to write one moment. */
export function isSameSpec(a: UpgradeSpec, b: UpgradeSpec): boolean {
  return (
    isSameText(a.desired.version, b.desired.version) &&
    isSameText(a.desired.channel, b.desired.channel) &&
    isSameText(a.desired.image, b.desired.image) &&
    (a.upgradeAt === b.upgradeAt || (parseTime(a.upgradeAt) ?? Number.NaN) === parseTime(b.upgradeAt)) &&
    a.PDBForceDrainTimeout === b.PDBForceDrainTimeout &&
    a.type === b.type &&
    (a.capacityReservation ?? false) === (b.capacityReservation ?? false)
  )
}

function isSameText(a: string | undefined, b: string | undefined): boolean {
  return (a ?? '') === (b ?? '')
}

/** How long to wait for a deleted UpgradeConfig to be gone, and how often to look, in milliseconds. */
export const replacement = { poll: 5000, limit: 60_000 } as const
