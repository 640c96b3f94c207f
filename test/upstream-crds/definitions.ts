import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { load } from 'js-yaml'
import type { Fields } from './sample.ts'

export interface Definition {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly scope: 'Cluster' | 'Namespaced'
    readonly names: { readonly kind: string; readonly plural: string }
    readonly versions: readonly Version[]
  }
}

export interface Version {
  readonly name: string
  readonly storage: boolean
  readonly subresources?: { readonly status?: Fields; readonly scale?: Fields }
  readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: Schema } } }
}

interface Schema {
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
}

const root = join(import.meta.dirname, '../..')

/** The CRDs of real clusters. They are not part of the project, and may be missing. */
export const upstreamFolder = join(root, '../shared/upstream-crds')
export const ownFolder = join(root, 'deploy/crds')

export const isUpstreamHere = existsSync(upstreamFolder)

/** YAML or JSON, of which it is a part. */
export function definitionsIn(folder: string): readonly Definition[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(json|ya?ml)$/.test(file) && basename(file) !== 'kustomization.yaml')
    .toSorted()
    .map((file) => load(readFileSync(join(folder, file), 'utf8')) as Definition)
}
