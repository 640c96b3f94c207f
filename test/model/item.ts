/** The parts of an object that the model is about: single values in different places, each of which somebody may own. */
export const fields = ['tier', 'color', 'size', 'note', 'base'] as const
export type Field = (typeof fields)[number]
export type Value = string | number | boolean
export type Values = Readonly<Partial<Record<Field, Value>>>

/** Who owns which fields: `Apply a1`, `Update w1`. Nobody is listed with nothing. */
export type Owners = ReadonlyMap<string, ReadonlySet<Field>>

/** An object, as much of it as the model foretells. */
export interface Item {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly values: Values
  readonly phase?: string
  readonly hasFinalizer: boolean
  readonly isDeleting: boolean
  readonly generation: number
  readonly revision: number
  readonly owners: Owners
}

export const finalizer = 'model.windlass.dev/hold'
export const apiVersion = 'model.windlass.dev/v1'
export const kind = 'Item'

/**
 * One label and four members of the spec. Not everything may stand in a color or a size; a base is always there, so that the spec is
 * never empty: who owns an empty object is another story.
 */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'items.model.windlass.dev' },
  spec: {
    group: 'model.windlass.dev',
    scope: 'Namespaced',
    names: { plural: 'items', kind },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  color: { type: 'string', enum: ['red', 'blue'] },
                  size: { type: 'integer', minimum: 0 },
                  note: { type: 'string' },
                  base: { type: 'boolean' },
                },
              },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
}

export function isValid({ color, size }: Values): boolean {
  return (color === undefined || color === 'red' || color === 'blue') && (size === undefined || (typeof size === 'number' && size >= 0))
}

/** Values as they stand in an object; undefined ones are left out, null ones stay: a patch removes with them. */
export function placed(values: Readonly<Partial<Record<Field, Value | null>>>): { metadata: object; spec: object } {
  const { tier, ...spec } = values
  return { metadata: tier === undefined ? {} : { labels: { tier } }, spec }
}

interface Wire {
  readonly metadata: {
    readonly namespace: string
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly generation: number
    readonly labels?: { readonly tier?: string }
    readonly finalizers?: readonly string[]
    readonly deletionTimestamp?: string
    readonly managedFields?: readonly ManagedFields[]
  }
  readonly spec?: Values
  readonly status?: { readonly phase?: string }
}

interface ManagedFields {
  readonly manager: string
  readonly operation: string
  readonly subresource?: string
  readonly fieldsV1: {
    readonly 'f:metadata'?: { readonly 'f:labels'?: object }
    readonly 'f:spec'?: object
  }
}

/** What an object on the wire is to the model. */
export function read(object: unknown): Item {
  const { metadata, spec = {}, status } = object as Wire
  const { namespace, name, uid, resourceVersion, generation, labels, finalizers = [], deletionTimestamp, managedFields = [] } = metadata
  const tier = labels?.tier
  return {
    namespace,
    name,
    uid,
    values: { ...(tier === undefined ? {} : { tier }), ...spec },
    ...(status?.phase === undefined ? {} : { phase: status.phase }),
    hasFinalizer: finalizers.includes(finalizer),
    isDeleting: deletionTimestamp !== undefined,
    generation,
    revision: Number(resourceVersion),
    owners: owned(managedFields),
  }
}

function owned(entries: readonly ManagedFields[]): Owners {
  const owners = new Map<string, ReadonlySet<Field>>()
  for (const { manager, operation, fieldsV1 } of entries) {
    const keys = new Set([...Object.keys(fieldsV1['f:metadata']?.['f:labels'] ?? {}), ...Object.keys(fieldsV1['f:spec'] ?? {})])
    const own = fields.filter((field) => keys.has(`f:${field}`))
    if (own.length > 0) owners.set(`${operation} ${manager}`, new Set(own))
  }
  return owners
}
