/**
 * An embedded, Kubernetes-compatible API server. `startEmbedded` is the short way in.
 *
 * The way of a request, from the outside in:
 *
 *   http/         sockets, TLS, HTTP/1.1 and 2: turns requests into values and answers into bytes
 *   wire/         bodies and headers: JSON, YAML 1.1, protobuf; Accept and Content-Type
 *   server/       what a request means: paths, verbs, documents, limits; `ApiServer.handle` is the whole server as a function
 *   auth/         who asks and whether they may: tokens, certificates, RBAC, reviews
 *   discovery/, openapi/, table/   how the server describes itself and prints objects
 *   registry/     create, read, update, patch and delete of one resource: the rules every object obeys
 *   schema/, cel/, crd/    structural schemas, validation rules, CustomResourceDefinitions
 *   patch/, apply/         JSON, merge and strategic patches; server-side apply and field ownership
 *   builtin/      the built-in kinds, as data
 *   selectors/    label and field selectors
 *   watch/        who hears of which change
 *   storage/      objects, log and counter: in memory, on LMDB, on SQLite
 *   controllers/  what a cluster does by itself: garbage collection, namespaces, expiry
 *   admission/    what may stop a valid write: policies, role escalation
 *   clusters/     logical clusters: many APIs in one server
 *   errors/       Status objects
 *   testing/      a whole server for tests, in virtual time
 */
export { CredentialError, kubeconfig, parseTokenFile, TokenFileError } from './auth/index.ts'
export type { KubeconfigOptions, StaticToken, User } from './auth/index.ts'
export { startEmbedded } from './embedded.ts'
export type { Embedded, EmbeddedOptions } from './embedded.ts'
export type { AdmissionPlugin, AdmissionRequest } from './registry/index.ts'
export type { Json, JsonObject } from './json.ts'
export { ApiServer } from './server/index.ts'
export type { ApiRequest, ApiResponse, ApiServerOptions } from './server/index.ts'
export type { WatchSink } from './watch/index.ts'
export { openLmdbStore, openMemoryStore, openSqliteStore, parseKey, resourcePrefix, StoreError } from './storage/index.ts'
export type { Change, ChangeOptions, Entry, MemoryStore, ScanOptions, Snapshot, Store, Transaction } from './storage/index.ts'
