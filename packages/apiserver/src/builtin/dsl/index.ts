/**
 * The language in which built-in kinds are declared, and what can be made of a declaration.
 *
 * - `types.ts`: the words (`struct`, `list`, `pointer`, `always`, …)
 * - `schema.ts`: a declaration as JSON schema, for strict decoding, patches, server-side apply and OpenAPI
 * - `canonical.ts`, `scalars.ts`, `quantity.ts`: values as a real server gives them back
 *
 * The third reader of declarations is `wire/protobuf/`.
 */
export * from './types.ts'
export { canonicalObject, canonicalOf, zeroOf, type Canonical } from './canonical.ts'
export { canonicalQuantity, compareQuantities, isNegativeQuantity, isWholeQuantity, QuantityError } from './quantity.ts'
export { schemaOf } from './schema.ts'
