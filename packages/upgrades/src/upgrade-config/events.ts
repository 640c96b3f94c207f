import type { UpgradeConfig } from '@windlass/api'
import { equalJson } from '@windlass/kube'
import { Annotation, upgradeConfigName } from './names.ts'

export function isOurs({ metadata }: Pick<UpgradeConfig, 'metadata'>): boolean {
  return metadata.name === upgradeConfigName
}

/**
 * Whether an update is a reason to look. Our own writes are not: those of the status, and those of our annotations. A resync, in which nothing has
 * changed at all, is.
 */
export function isReasonToLook(before: UpgradeConfig, after: UpgradeConfig): boolean {
  if (!isOurs(after)) return false
  if (!equalJson(before.status, after.status)) return false
  return before.metadata.resourceVersion === after.metadata.resourceVersion || !isOnlyOurAnnotations(before, after)
}

const ourAnnotations = new Set<string>(Object.values(Annotation))
/** What the server itself changes with every write. */
const bookkeeping = ['resourceVersion', 'managedFields', 'annotations'] as const

function isOnlyOurAnnotations(before: UpgradeConfig, after: UpgradeConfig): boolean {
  if (equalJson(before.metadata.annotations, after.metadata.annotations)) return false
  return equalJson(withoutOurs(before), withoutOurs(after))
}

function withoutOurs({ metadata, spec }: UpgradeConfig): object {
  const rest = Object.entries(metadata).filter(([name]) => !bookkeeping.some((field) => field === name))
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([name]) => !ourAnnotations.has(name))
  return { spec, metadata: Object.fromEntries(rest), annotations: Object.fromEntries(annotations) }
}
