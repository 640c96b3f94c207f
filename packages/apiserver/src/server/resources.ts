import { ApiError, methodNotAllowed, notFound } from '../errors/api-error.ts'
import type { Catalog, Served } from '../registry/catalog.ts'
import type { Verb } from '../registry/resource.ts'
import { text } from './health.ts'
import type { ResourcePath } from './path.ts'
import type { ApiResponse } from './request.ts'
import type { ResourceCall } from './resource-call.ts'
import { getList, getOne, startWatch } from './resource-reads.ts'
import { createOne, deleteCollection, deleteOne, patchOne, updateOne } from './resource-writes.ts'
import { type SubresourceContext, subresourceHandler } from './subresources.ts'
import { isWatch } from './route.ts'

/** 404 in the words of a group that exists but has no such resource. */
export function noSuchResource(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', { details: {} })
}

/** Real servers answer so for everything they have no group for. */
export function noSuchPage(): ApiResponse {
  return text(404, '404 page not found\n')
}

export function findServed(catalog: Catalog, path: ResourcePath): Served | undefined {
  const served = catalog.find(path.group, path.version, path.resource)
  // `/apis/g/v/namespaces/x/gadgets` of a cluster-wide kind, and an object of a namespaced one without its namespace, are nothing.
  if (served === undefined) return undefined
  const isNamespace = path.group === '' && path.resource === 'namespaces'
  if (!served.type.namespaced && path.namespace !== '' && !isNamespace) return undefined
  if (served.type.namespaced && path.namespace === '' && path.name !== '') return undefined
  return served
}

/** Does what the method says with the object or collection of the path. */
export async function handleResource(call: ResourceCall, context: SubresourceContext): Promise<ApiResponse> {
  const { path, served, request } = call
  const { method } = request
  if (path.subresource !== '' || path.isTooDeep) return handleSubresource(call, context)
  const isCollection = path.name === ''
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (path.isWatch) return startWatch(call)
      if (!isCollection) return getOne(call)
      return isWatch(path, call.query) ? startWatch(call) : getList(call)
    case 'POST':
      if (!isCollection) throw methodNotAllowed()
      assertVerb(call, 'create')
      if (served.type.namespaced && path.namespace === '') throw noSuchResource()
      return createOne(call)
    case 'PUT':
      assertNamed(call)
      assertVerb(call, 'update')
      return updateOne(call)
    case 'PATCH':
      assertNamed(call)
      assertVerb(call, 'patch')
      return patchOne(call)
    case 'DELETE':
      assertVerb(call, isCollection ? 'deletecollection' : 'delete')
      if (isCollection && served.type.namespaced && path.namespace === '') {
        if (served.type.isCustom) return noSuchPage()
        throw methodNotAllowed()
      }
      return isCollection ? deleteCollection(call) : deleteOne(call)
    default:
      throw methodNotAllowed()
  }
}

function assertVerb({ served }: ResourceCall, verb: Verb): void {
  if (!served.type.verbs.includes(verb)) throw methodNotAllowed()
}

function assertNamed({ path, served }: ResourceCall): void {
  if (path.name !== '') return
  if (served.type.isCustom) throw new ApiError(400, 'BadRequest', 'name must be provided')
  throw methodNotAllowed()
}

async function handleSubresource(call: ResourceCall, context: SubresourceContext): Promise<ApiResponse> {
  const { path, served, request } = call
  const { type, version } = served
  const { subresource } = path
  const exists =
    !path.isTooDeep && ((subresource === 'status' && version.hasStatus) || (subresource === 'scale' && version.scale !== undefined))
  const extra = path.isTooDeep ? undefined : type.extraSubresources?.find(({ name }) => name === subresource)
  if (!exists && extra === undefined) throw type.isCustom ? notFound(type, path.name) : noSuchResource()
  if (extra !== undefined) {
    const handler = subresourceHandler(extra.name, request.method)
    if (handler === undefined) throw methodNotAllowed()
    return handler(call, context)
  }
  switch (request.method) {
    case 'GET':
      return getOne(call)
    case 'PUT':
      return updateOne(call)
    case 'PATCH':
      return patchOne(call)
    default:
      throw type.isCustom ? notSupported(served, request.method) : methodNotAllowed()
  }
}

const words: Readonly<Record<string, string>> = { DELETE: 'delete', POST: 'create' }

function notSupported({ type }: Served, method: string): ApiError {
  const verb = words[method] ?? method.toLowerCase()
  const message = `${verb} is not supported on resources of kind "${type.resource}.${type.group}"`
  return new ApiError(405, 'MethodNotAllowed', message, { details: { group: type.group, kind: type.resource } })
}
