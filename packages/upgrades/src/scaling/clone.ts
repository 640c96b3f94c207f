import { createHash } from 'node:crypto'
import type { machineApi } from '@windlass/api'
import type { Draft } from '@windlass/kube'
import { Label } from './originals.ts'

/** A label allows no longer value, and the name of the copy is one. */
const longestLabel = 63

/** How the copy of a machine set is named. */
export function cloneName(original: string): string {
  const name = `${original}-upgrade`
  if (name.length <= longestLabel) return name
  const hash = createHash('sha256').update(original).digest('hex').slice(0, 8)
  return `${original.slice(0, 46)}-${hash}-upgrade`
}

/**
 * A copy of a machine set with one machine, marked as ours. Annotations stay behind: with those of the autoscaler, the copy would be scaled as well.
 */
export function cloneOf({ metadata, spec }: machineApi.MachineSet): Draft<machineApi.MachineSet> {
  const name = cloneName(metadata.name ?? '')
  const marks = { [Label.upgrade]: 'true', [Label.machineSet]: name }
  return {
    metadata: {
      name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels: { [Label.upgrade]: 'true' },
    },
    spec: {
      ...spec,
      replicas: 1,
      selector: { ...spec.selector, matchLabels: { ...spec.selector?.matchLabels, ...marks } },
      template: {
        ...spec.template,
        metadata: { ...spec.template?.metadata, labels: { ...spec.template?.metadata?.labels, ...marks } },
      },
    },
  }
}
