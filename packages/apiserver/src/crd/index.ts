/**
 * CustomResourceDefinitions: the kind itself, what makes one valid, and the resources it serves.
 *
 *   definition.ts   the built-in kind: how it is stored and what happens to it on writes
 *   validate.ts     everything that may be wrong with one; the validate-*.ts files take its parts, structural.ts its schemas
 *   status.ts       which names it gets and whether it is served
 *   served.ts       the resource type that follows from it
 *   model.ts        a definition as the others read it
 */
export { cleanupFinalizer, customResourceDefinitions } from './definition.ts'
export { byPriority } from './priority.ts'
export { toResourceType } from './served.ts'
export { decideCrdStatus } from './status.ts'
export { validateCrd } from './validate.ts'
