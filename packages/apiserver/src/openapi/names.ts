import type { ResourceType } from '../registry/resource.ts'

/**
 * Names of component schemas, as clients know them: `io.k8s.api.apps.v1.Deployment` for built-in kinds, the reversed group for
 * custom ones (`dev.windlass.test.v1.Widget`).
 */
export function componentName(of: Pick<ResourceType, 'group' | 'isCustom'>, version: string, kind: string): string {
  return `${packageName(of)}.${version}.${kind}`
}

function packageName({ group, isCustom }: Pick<ResourceType, 'group' | 'isCustom'>): string {
  if (isCustom) return group.split('.').toReversed().join('.')
  if (group === 'apiextensions.k8s.io') return 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions'
  return `io.k8s.api.${group === '' ? 'core' : group.split('.', 1)[0]}`
}

const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** Schemas of which every document has a copy. */
export const metaName = (kind: string): string => `${metaPackage}.${kind}`

export const scaleName = 'io.k8s.api.autoscaling.v1.Scale'

const componentPrefix = '#/components/schemas/'

export function reference(name: string): { readonly $ref: string } {
  return { $ref: `${componentPrefix}${name}` }
}

/** The component a reference points to; undefined for anything else. */
export function referenceTarget($ref: unknown): string | undefined {
  return typeof $ref === 'string' && $ref.startsWith(componentPrefix) ? $ref.slice(componentPrefix.length) : undefined
}

/** `test.windlass.dev`, `v1` → `TestWindlassDevV1`, for the ids of operations. */
export function operationInfix(group: string, version: string): string {
  const words = `${group === '' ? 'core' : group}.${version}`.split(/[.-]/)
  return words.map(capitalized).join('')
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Under which `/openapi/v3` lists a group version, and below which its paths are. */
export function documentKey(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}
