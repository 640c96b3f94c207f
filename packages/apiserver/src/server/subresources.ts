import { type Authenticator, answerTokenRequest, type ObjectLookup } from '../auth/index.ts'
import { decideEviction } from '../builtin/index.ts'
import { ApiError, badRequest, conflict, notFound } from '../errors/api-error.ts'
import { isObject, type JsonObject } from '../json.ts'
import { metadataOf, nameOf, text } from '../registry/object-meta.ts'
import { deleteOptions, writeOptions } from '../registry/options.ts'
import { removeIn } from '../registry/remove.ts'
import { fromStored, keyFor, parseStored, prefixFor } from '../registry/stored.ts'
import { replace } from '../registry/update.ts'
import { encodeJson } from '../wire/index.ts'
import { jsonAnswer } from './answer.ts'
import { readUnstored } from './body.ts'
import type { ApiResponse } from './request.ts'
import { type ResourceCall, writeRequest } from './resource-call.ts'
import { updateOne } from './resource-writes.ts'

/** Subresources that do something of their own instead of showing a part of the object. */

export interface SubresourceContext {
  readonly authenticator: Authenticator
  readonly lookup: ObjectLookup
}

type Handler = (call: ResourceCall, context: SubresourceContext) => Promise<ApiResponse>

const handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  token: { POST: issueToken },
  eviction: { POST: evict },
  binding: { POST: bind },
  finalize: { PUT: (call) => updateOne(call) },
}

export function subresourceHandler(name: string, method: string): Handler | undefined {
  return handlers[name]?.[method]
}

/** `serviceaccounts/x/token`: a token that proves to be that account. */
async function issueToken(call: ResourceCall, { authenticator, lookup }: SubresourceContext): Promise<ApiResponse> {
  const { cluster, path, request } = call
  const value = readUnstored(request, { group: 'authentication.k8s.io', kind: 'TokenRequest' })
  const answer = answerTokenRequest(value, {
    cluster: cluster.cluster,
    namespace: path.namespace,
    name: path.name,
    now: cluster.clock.now(),
    random: cluster.random,
    lookup,
    authenticator,
  })
  return jsonAnswer(201, answer)
}

const evicted = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

/** `pods/x/eviction`: deletes the Pod unless a PodDisruptionBudget forbids it. The budget pays in the same transaction. */
async function evict(call: ResourceCall): Promise<ApiResponse> {
  const { cluster, served, path, query, request } = call
  const value = readUnstored(request, { group: 'policy', kind: 'Eviction' })
  const given = nameOf(value)
  if (given !== '' && given !== path.name) throw badRequest('name in URL does not match name in Eviction object')
  const body = isObject(value.deleteOptions) ? value.deleteOptions : undefined
  const options = deleteOptions(query, body)
  const budgets = cluster.catalog.stored('policy', 'poddisruptionbudgets')
  const write = writeOptions('CreateOptions', query, request.headers['user-agent'], false)
  const dryRun = write.dryRun || options.dryRun
  await cluster.store.write((transaction) => {
    const entry = transaction.get(keyFor(cluster.cluster, served.type, path.namespace, path.name))
    if (entry === undefined) throw notFound(served.type, path.name)
    const pod = fromStored(served, entry)
    const prefix = budgets === undefined ? undefined : prefixFor(cluster.cluster, budgets.type, path.namespace)
    const found =
      prefix === undefined
        ? []
        : [...cluster.store.scan(prefix)].map(({ key, bytes }) => transaction.get(key)?.bytes ?? bytes).map(parseStored)
    const decision = decideEviction(pod, found, cluster.clock.now())
    if (!decision.isAllowed) throw decision.refusal
    if (!dryRun && budgets !== undefined && decision.budget !== undefined) {
      const key = keyFor(cluster.cluster, budgets.type, path.namespace, nameOf(decision.budget))
      const old = transaction.get(key)
      if (old !== undefined) {
        const budgetWrite = { ...writeRequest(call, { ...write, dryRun }, 'status'), served: budgets }
        replace(transaction, budgetWrite, old, fromStored(budgets, old), decision.budget)
      }
    }
    removeIn(transaction, writeRequest(call, { ...write, dryRun }, ''), entry, { ...options, dryRun })
  })
  return jsonAnswer(201, encodeJson(evicted))
}

/** `pods/x/binding`: places a Pod on a node, once. */
async function bind(call: ResourceCall): Promise<ApiResponse> {
  const { cluster, served, path, query, request } = call
  const value = readUnstored(request, { group: '', kind: 'Binding' })
  const target = isObject(value.target) ? value.target : {}
  const node = text(target.name)
  if (node === '')
    throw new ApiError(422, 'Invalid', 'Binding "" is invalid: target.name: Required value', { details: { kind: 'Binding' } })
  const options = writeOptions('CreateOptions', query, request.headers['user-agent'], false)
  await cluster.store.write((transaction) => {
    const entry = transaction.get(keyFor(cluster.cluster, served.type, path.namespace, path.name))
    if (entry === undefined) throw notFound(served.type, path.name)
    const old = fromStored(served, entry)
    const spec = isObject(old.spec) ? old.spec : {}
    const placed = text(spec.nodeName)
    if (placed !== '')
      throw conflict(
        { group: '', resource: 'pods/binding' },
        path.name,
        `pod ${path.name} is already assigned to node ${JSON.stringify(placed)}`,
      )
    replace(transaction, writeRequest(call, options, 'binding'), entry, old, bound(old, spec, node, value))
  })
  return jsonAnswer(201, encodeJson(evicted))
}

function bound(pod: JsonObject, spec: JsonObject, node: string, binding: JsonObject): JsonObject {
  const annotations = metadataOf(binding).annotations
  const metadata = metadataOf(pod)
  const merged = isObject(annotations)
    ? { ...metadata, annotations: { ...(isObject(metadata.annotations) ? metadata.annotations : {}), ...annotations } }
    : metadata
  return { ...pod, metadata: merged, spec: { ...spec, nodeName: node } }
}
