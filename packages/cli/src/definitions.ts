import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@windlass/apiserver'
import { load } from 'js-yaml'

const generated = join(import.meta.dirname, '..', '..', '..', 'deploy', 'crds', 'own')

/** One of our own CustomResourceDefinitions as it was generated: making it from its declaration would take a third of the time to start. */
export function generatedDefinition(name: string): JsonObject {
  return load(readFileSync(join(generated, `${name}.yaml`), 'utf8')) as JsonObject
}

/** Every CustomResourceDefinition, from the declarations themselves. */
export async function allDefinitions(): Promise<readonly JsonObject[]> {
  const { allKinds, toCrd } = await import('@windlass/api')
  // A definition is JSON by its nature; its TypeScript type only knows more about it than the server asks for.
  return allKinds.map((kind) => ({ ...toCrd(kind) }) as Record<string, unknown> as JsonObject)
}
