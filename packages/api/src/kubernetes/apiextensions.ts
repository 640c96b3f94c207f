import type { JsonObject } from '../json.ts'
import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { BuiltinCondition } from './shared.ts'

/** Teaches a server a kind. Ours are made by `toCrd`. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1'
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly group: string
    readonly names: CrdNames
    readonly scope: 'Namespaced' | 'Cluster'
    readonly versions: readonly CrdVersion[]
  }
  readonly status?: {
    /** `Established` is True when objects of the kind can be written. */
    readonly conditions?: readonly BuiltinCondition[]
    readonly acceptedNames?: CrdNames
    readonly storedVersions?: readonly string[]
  }
}

export const CustomResourceDefinition = builtin<CustomResourceDefinition>({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
  hasStatusSubresource: true,
})

export interface CrdNames {
  readonly kind: string
  readonly plural: string
  readonly listKind?: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

export interface CrdVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly schema: { readonly openAPIV3Schema: JsonObject }
  readonly subresources?: JsonObject
  readonly additionalPrinterColumns?: readonly JsonObject[]
}
