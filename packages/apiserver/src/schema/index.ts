/**
 * Structural schemas: what CustomResourceDefinitions, and our built-in kinds, say about objects.
 *
 *   compiled-schema.ts   everything one can ask of a schema, and the order of validation
 *   prune.ts             drops what the schema does not know
 *   defaults.ts          fills in defaults and settles nulls
 *   checks/              the words of JSON schema, compiled to a table of checks per kind of value (start at node.ts)
 *   formats/             date-time, ipv4, duration, …
 *   list-types.ts        unique sets and keys
 *   embedded.ts          resources inside resources
 *   rules.ts             walks an object with the CEL rules of its schema; correlate.ts finds what an element replaces
 *   type-mismatch.ts     what Go's decoder would refuse, for built-in kinds
 *   object-meta.ts       the schema of `metadata`
 *
 * Objects are never changed, schemas are compiled once by identity and part by part (they may be circular), and an object that passes costs
 * no allocation. Updates ratchet: what was wrong in the stored object may stay wrong where it does not change.
 */
export { compileSchema, validateValue } from './compiled-schema.ts'
export type { CompiledSchema, ValidationContext, ValidationResult } from './compiled-schema.ts'
export { defaultValue } from './defaults.ts'
export type { JsonSchema, ValidationRule } from './json-schema.ts'
export { objectMetaSchema } from './object-meta.ts'
export { pruneValue, type UnknownOrder } from './prune.ts'
export type { TypeMismatch } from './type-mismatch.ts'
