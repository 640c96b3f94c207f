import { dump } from 'js-yaml'
import type { CustomResourceDefinition } from './kubernetes/index.ts'

/**
 * A CRD as a file. Keys are sorted and lines are not folded, so that a change of one field is a change of one place and nothing
 * else in the diff.
 */
export function toYaml(crd: CustomResourceDefinition): string {
  return `# Generated from packages/api by \`npm run generate\`. Do not edit.\n${dump(sorted(crd), { lineWidth: -1, noRefs: true })}`
}

/** By code unit, not by locale: the same bytes on every machine. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  )
}
