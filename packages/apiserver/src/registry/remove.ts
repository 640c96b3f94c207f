import { formatTime } from '@windlass/core'
import { conflict, notFound, type ApiError } from '../errors/api-error.ts'
import type { JsonObject, MutableObject } from '../json.ts'
import type { Entry, Transaction } from '../storage/store.ts'
import { encodeJson } from '../wire/index.ts'
import { commit } from './commit.ts'
import { isBeingDeleted, metadataOf, strings, text } from './object-meta.ts'
import type { DeleteOptions } from './options.ts'
import type { Served } from './catalog.ts'
import { encodeStored, fromStored, keyFor, present, toStored } from './stored.ts'
import { admissionOf, contextOf, type WriteRequest } from './write-request.ts'

/** What became of an object that was asked to go. */
export interface Removed {
  /** False while finalizers or a grace period keep it. */
  readonly isGone: boolean
  /** Its last state, as clients see it. */
  readonly bytes: Buffer
  readonly uid: string
}

/** DELETE of one object. */
export function remove(request: WriteRequest, name: string, options: DeleteOptions): Promise<Removed> {
  const { scope, served, namespace } = request
  return scope.store.write((transaction) => {
    const entry = transaction.get(keyFor(scope.cluster, served.type, namespace, name))
    if (entry === undefined) throw notFound(served.type, name)
    return removeIn(transaction, request, entry, options)
  })
}

export function removeIn(transaction: Transaction, request: WriteRequest, entry: Entry, options: DeleteOptions): Removed {
  const { scope, served } = request
  const { behaviour } = served.type
  const old = fromStored(served, entry)
  const uid = text(metadataOf(old).uid)
  checkPreconditions(served, entry, old, options)
  scope.admission.validate({ ...admissionOf(request, 'DELETE', text(metadataOf(old).name)), old })

  const finalizers = finalizersFor(options.policy, strings(metadataOf(old).finalizers))
  const grace = Math.max(0, behaviour.gracePeriod?.(old, options.gracePeriodSeconds) ?? 0)
  const marked = mark(request, old, finalizers, grace)
  const next = behaviour.markDeleted?.(marked, contextOf(request)) ?? marked
  const isKept = strings(metadataOf(next).finalizers).length > 0 || behaviour.isHeld?.(next) === true || grace > 0
  if (options.dryRun) return { isGone: !isKept, bytes: encodeJson(isKept ? next : old), uid }
  if (isKept) return { isGone: false, bytes: keepMarked(transaction, request, entry, old, next), uid }

  const last = isBeingDeleted(old) || !behaviour.deleteAnswersObject ? old : next
  const stored = toStored(served, last)
  transaction.delete(entry.key, (revision) => encodeStored(stored, revision))
  return { isGone: true, bytes: encodeJson(last), uid }
}

function keepMarked(transaction: Transaction, request: WriteRequest, entry: Entry, old: JsonObject, next: JsonObject): Buffer {
  return next === old ? present(request.served, entry) : commit(transaction, request, entry.key, next)
}

/** Sets the marks of deletion once; a second DELETE only changes the finalizers of its policy, and shortens the grace period. */
function mark(request: WriteRequest, old: JsonObject, finalizers: readonly string[], grace: number): JsonObject {
  const before = metadataOf(old)
  const metadata: MutableObject = { ...before }
  if (finalizers.length > 0) metadata.finalizers = finalizers
  else delete metadata.finalizers
  const isFirst = !isBeingDeleted(old)
  const earlier = typeof before.deletionGracePeriodSeconds === 'number' ? before.deletionGracePeriodSeconds : 0
  if (!isFirst && earlier <= grace && finalizers.length === strings(before.finalizers).length) return old
  if (isFirst || grace < earlier) {
    metadata.deletionTimestamp = formatTime(request.scope.clock.now() + grace * 1000)
    metadata.deletionGracePeriodSeconds = grace
  }
  if (isFirst && typeof before.generation === 'number') metadata.generation = before.generation + 1
  return { ...old, metadata }
}

/** Each policy has its own finalizer, which the garbage collector removes when its part is done. */
function finalizersFor(policy: DeleteOptions['policy'], finalizers: readonly string[]): readonly string[] {
  if (policy === undefined) return finalizers
  const others = finalizers.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion')
  if (policy === 'Background') return others
  return [...others, policy === 'Foreground' ? 'foregroundDeletion' : 'orphan']
}

function checkPreconditions(served: Served, entry: Entry, old: JsonObject, options: DeleteOptions): void {
  const name = text(metadataOf(old).name)
  const uid = text(metadataOf(old).uid)
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`
    throw failedPrecondition(served, name, why)
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== String(entry.revision)) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${entry.revision}). The object might have been modified`
    throw failedPrecondition(served, name, why)
  }
}

/** Unlike other conflicts, these name the kind and not the resource. */
function failedPrecondition(served: Served, name: string, why: string): ApiError {
  return conflict({ group: served.type.group, resource: served.type.kind }, name, why)
}
