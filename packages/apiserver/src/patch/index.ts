/**
 * The three patches that clients send as instructions; the fourth, server-side apply, lives in `apply/`.
 *
 *   json-patch.ts        RFC 6902, as real servers read it
 *   merge-patch.ts       RFC 7386
 *   strategic/           merge patch for built-in kinds: lists merge by key, directives delete, replace and order
 *
 * All of them take an object and return one that shares every unchanged part with it; a patch that changes nothing returns the very
 * object it was given.
 */
export { applyJsonPatch } from './json-patch.ts'
export { applyMergePatch } from './merge-patch.ts'
export { applyStrategicPatch } from './strategic/index.ts'
