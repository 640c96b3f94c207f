import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CrdVersion, CustomResourceDefinition } from '../kubernetes/index.ts'
import { crdName } from '../crd.ts'
import type { Kind } from '../kind.ts'

const folder = join(import.meta.dirname, '..', '..', '..', '..', '..', 'shared', 'upstream-crds')

/** Why tests against upstream's CRDs cannot run; false when they can. They are data of other projects and not part of this one. */
export const noUpstream: string | false = existsSync(folder) ? false : 'upstream CRDs are not at ../shared/upstream-crds'

export interface UpstreamKind {
  readonly crd: CustomResourceDefinition
  readonly version: CrdVersion
}

/** Upstream's CRD of a kind, in the version that we use; undefined for kinds of our own. */
export function upstreamOf(kind: Kind): UpstreamKind | undefined {
  const file = join(folder, `${crdName(kind)}.json`)
  if (!existsSync(file)) return undefined
  const crd = JSON.parse(readFileSync(file, 'utf8')) as CustomResourceDefinition
  const version = crd.spec.versions.find(({ name }) => name === kind.version)
  if (version === undefined) throw new Error(`${crdName(kind)}: upstream has no version ${kind.version}`)
  return { crd, version }
}
