import { selectionOf } from '../registry/selection.ts'
import { get, list } from '../registry/read.ts'
import { listOptions } from '../registry/list-options.ts'
import { parseRevision } from '../registry/revision.ts'
import { fromStored, present } from '../registry/stored.ts'
import { getScale } from '../registry/scale.ts'
import { eventEncoder, type Shape } from '../watch/encoder.ts'
import { watch } from '../watch/watch.ts'
import { parseIncludeObject, partialObject, watchTables } from '../table/index.ts'
import { negotiate } from '../wire/index.ts'
import { listAnswer, objectAnswer, scaleAnswer, type View } from './answer.ts'
import type { ApiResponse } from './request.ts'
import type { ResourceCall } from './resource-call.ts'

export function viewOf(call: ResourceCall, shape: 'object' | 'list'): View {
  const form = negotiate(call.request.headers.accept, { shape, isCustom: call.served.type.isCustom })
  return { form, query: call.query, now: call.cluster.clock.now() }
}

export async function getOne(call: ResourceCall): Promise<ApiResponse> {
  const { cluster, served, path, query } = call
  const view = viewOf(call, 'object')
  const entry = await get(cluster, served, path.namespace, path.name, parseRevision(query.get('resourceVersion')))
  if (path.subresource === 'scale' && served.version.scale !== undefined) {
    return scaleAnswer(getScale(served, served.version.scale, fromStored(served, entry)), view)
  }
  return objectAnswer(200, served, present(served, entry), view)
}

export async function getList(call: ResourceCall): Promise<ApiResponse> {
  const { cluster, served, path, query } = call
  const view = viewOf(call, 'list')
  parseIncludeObject(query.get('includeObject') ?? undefined)
  const selection = selectionOf(served, path.namespace, query)
  const listing = await list(cluster, served, selection, listOptions(query, false), { reusesMemory: true })
  return listAnswer(served, listing, view)
}

export function startWatch(call: ResourceCall): ApiResponse {
  const { cluster, hub, served, path, query } = call
  const options = listOptions(query, true)
  const sendsInitialEvents = options.sendInitialEvents === true
  const form = negotiate(call.request.headers.accept, { shape: 'watch', isCustom: served.type.isCustom, sendsInitialEvents })
  const includeObject = parseIncludeObject(query.get('includeObject') ?? undefined)
  const selection = selectionOf(served, path.namespace, path.name === '' ? query : namedQuery(query, path.name))
  const shape = shapeOf(call, form.as, form.version, includeObject)
  const encoder = eventEncoder(served, shape)
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    watch: (sink, signal) => watch({ scope: cluster, hub, served, selection, options, encoder }, sink, signal),
  }
}

/** The old `/watch/…/name` form is a watch of the collection that selects one name. */
function namedQuery(query: URLSearchParams, name: string): URLSearchParams {
  const named = new URLSearchParams(query)
  named.set('fieldSelector', `metadata.name=${name}`)
  return named
}

let tables = 0

function shapeOf(
  { served, cluster }: ResourceCall,
  as: string | undefined,
  version: 'v1' | 'v1beta1',
  includeObject: ReturnType<typeof parseIncludeObject>,
): Shape | undefined {
  if (as === undefined) return undefined
  if (as !== 'Table')
    return {
      name: `partial ${version}`,
      object: (object) => partialObject(object, version),
      bookmark: (object) => partialObject(object, version),
    }
  const table = watchTables(served.type, served.version)
  // The first row of a watch carries the columns, so Tables are made for each watcher.
  const make = (object: Parameters<Shape['object']>[0]): ReturnType<Shape['object']> =>
    table(object, { now: cluster.clock.now(), version, includeObject })
  return { name: `table ${tables++}`, object: make, bookmark: make }
}
