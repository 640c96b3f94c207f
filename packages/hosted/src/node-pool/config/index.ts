/**
 * What nodes are made from, and the hashes that tell when it changes.
 *
 * - `raw-config.ts`: the machine configuration, from ConfigMaps (`documents.ts`) and from us (`api-proxy.ts`).
 * - `global-config.ts`: what the whole cluster says. `os-stream.ts`: which operating system.
 * - `config-hash.ts`: all of it as two hashes. `adoption.ts`: whose hashes count.
 */
export { type Adoption, adoptionMarks, adoptionOf } from './adoption.ts'
export { apiProxyConfig, isProxyConfigOurs } from './api-proxy.ts'
export { type ConfigHashes, type ConfigInputs, hashesOf } from './config-hash.ts'
export { type ConfigDocument, encode, type Manifest, parseManifest, readDocuments, recordIn, splitDocuments } from './documents.ts'
export { globalConfig, noProxyOf } from './global-config.ts'
export { bootStream, hashedStream, type OsStream, releaseStream, streamProblem } from './os-stream.ts'
export { aggregated, asksForRunc, isTuningEnabled, type RawConfig, rawConfig } from './raw-config.ts'
