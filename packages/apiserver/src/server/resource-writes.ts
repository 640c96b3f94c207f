import { kindText } from '../apply/index.ts'
import { ApiError, badRequest } from '../errors/api-error.ts'
import { isObject, type JsonObject } from '../json.ts'
import { apply } from '../registry/apply.ts'
import { create } from '../registry/create.ts'
import { checkPlace } from '../registry/decode.ts'
import { listOptions } from '../registry/list-options.ts'
import { deleteOptions, type DeleteOptions, writeOptions } from '../registry/options.ts'
import { patch } from '../registry/patch.ts'
import { list } from '../registry/read.ts'
import { remove } from '../registry/remove.ts'
import { applyScale, patchScale, updateScale } from '../registry/scale.ts'
import { selectionOf } from '../registry/selection.ts'
import { present } from '../registry/stored.ts'
import { update } from '../registry/update.ts'
import { parseKey } from '../storage/keys.ts'
import { patchFormat } from '../wire/index.ts'
import { deletedStatus, jsonAnswer, listAnswer, objectAnswer } from './answer.ts'
import { readConfiguration, readObject, readPatch, readResource } from './body.ts'
import type { ApiResponse } from './request.ts'
import { type ResourceCall, writeRequest } from './resource-call.ts'
import { viewOf } from './resource-reads.ts'

export async function createOne(call: ResourceCall): Promise<ApiResponse> {
  const { cluster, served, path, query, request } = call
  const view = viewOf(call, 'object')
  const options = writeOptions('CreateOptions', query, request.headers['user-agent'], false)
  const object = checkPlace(served, readResource(call, options), path.namespace, undefined)
  if (cluster.isClosing(served.type.group, served.type.resource)) {
    throw new ApiError(405, 'MethodNotAllowed', 'create not allowed while custom resource definition is terminating', {
      details: { group: served.type.group, kind: served.type.resource },
    })
  }
  const written = await create(writeRequest(call, options), object)
  return objectAnswer(written.status, served, written.bytes, view)
}

export async function updateOne(call: ResourceCall): Promise<ApiResponse> {
  const { served, path, query, request } = call
  const view = viewOf(call, 'object')
  const options = writeOptions('UpdateOptions', query, request.headers['user-agent'], false)
  const write = writeRequest(call, options)
  if (path.subresource === 'scale') {
    const { value } = readObject(request, 'Scale', false)
    return jsonAnswer(200, (await updateScale(write, path.name, value)).bytes)
  }
  const object = checkPlace(served, readResource(call, options), path.namespace, path.name)
  const written = await update(write, path.name, object)
  return objectAnswer(written.status, served, written.bytes, view)
}

export async function patchOne(call: ResourceCall): Promise<ApiResponse> {
  const { served, path, query, request } = call
  const format = patchFormat(request.headers['content-type'], served.type)
  const view = viewOf(call, 'object')
  const isApply = format === 'apply-patch'
  const options = writeOptions('PatchOptions', query, request.headers['user-agent'], isApply)
  const write = writeRequest(call, options)
  const isScale = path.subresource === 'scale'
  if (format === 'apply-patch') {
    const configuration = readConfiguration(request, options)
    if (isScale) return jsonAnswer(200, (await applyScale(write, path.name, configuration)).bytes)
    const { apiVersion, kind } = configuration
    if (apiVersion !== served.apiVersion || kind !== served.type.kind)
      throw badRequest(`invalid object type: ${kindText(apiVersion, kind)}`)
    const written = await apply(write, path.name, configuration)
    return objectAnswer(written.status, served, written.bytes, view)
  }
  const change = readPatch(request, format, options.fieldValidation !== 'Ignore')
  if (isScale) return jsonAnswer(200, (await patchScale(write, path.name, change)).bytes)
  const written = await patch(write, path.name, change)
  return objectAnswer(written.status, served, written.bytes, view)
}

export async function deleteOne(call: ResourceCall): Promise<ApiResponse> {
  const { served, path } = call
  const view = viewOf(call, 'object')
  const options = readDeleteOptions(call)
  const removed = await remove(writeRequest(call, systemOptions(options), ''), path.name, options)
  if (removed.isGone && !served.type.behaviour.deleteAnswersObject) return jsonAnswer(200, deletedStatus(served, path.name, removed.uid))
  return objectAnswer(200, served, removed.bytes, view)
}

/** Deletes what it lists, object by object, as clients would: each may have finalizers of its own. */
export async function deleteCollection(call: ResourceCall): Promise<ApiResponse> {
  const { cluster, served, path, query } = call
  const view = viewOf(call, 'list')
  const options = readDeleteOptions(call)
  const listing = await list(cluster, served, selectionOf(served, path.namespace, query), listOptions(query, false))
  const found = [...listing.chunks].flat()
  for (const { entry } of found) {
    const { namespace, name } = parseKey(entry.key)
    const request = { ...writeRequest(call, systemOptions(options), ''), namespace }
    try {
      await remove(request, name, options)
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof ApiError) || error.status.reason !== 'NotFound') throw error
    }
  }
  const shown = found.map(({ entry, object }) => ({ entry: { ...entry, bytes: present(served, entry) }, object }))
  return listAnswer(served, { ...listing, chunks: [shown] }, view)
}

function systemOptions(options: DeleteOptions): { dryRun: boolean; fieldManager: string; fieldValidation: 'Ignore'; force: false } {
  return { dryRun: options.dryRun, fieldManager: '', fieldValidation: 'Ignore', force: false }
}

function readDeleteOptions(call: ResourceCall): DeleteOptions {
  const { request, query } = call
  const body = request.body === undefined || request.body.length === 0 ? undefined : readObject(request, 'DeleteOptions', false).value
  return deleteOptions(query, body === undefined || isEmpty(body) ? undefined : body)
}

function isEmpty(body: JsonObject): boolean {
  return Object.keys(body).every((key) => key === 'kind' || key === 'apiVersion') && !isObject(body.preconditions)
}
