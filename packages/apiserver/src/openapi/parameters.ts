import type { JsonObject } from '../json.ts'

type ParameterType = 'string' | 'boolean' | 'integer'

function parameter(place: 'query' | 'path', name: string, type: ParameterType, description: string): JsonObject {
  return { name, in: place, description, ...(place === 'path' ? { required: true } : {}), schema: { type, uniqueItems: true } }
}

const query = (name: string, type: ParameterType, description: string): JsonObject => parameter('query', name, type, description)

const pretty = query('pretty', 'string', "If 'true', the answer is indented for people.")
const dryRun = query('dryRun', 'string', 'All: the request is processed in full, and nothing is stored.')
const fieldManager = query(
  'fieldManager',
  'string',
  'The name of the actor or entity that makes the changes, at most 128 printable characters.',
)
const fieldValidation = query(
  'fieldValidation',
  'string',
  'What happens to unknown and duplicate fields: Ignore drops them, Warn drops them with a warning, Strict refuses the request.',
)
const force = query('force', 'boolean', 'Apply only: take over fields that others manage.')

export const writeParameters: readonly JsonObject[] = [pretty, dryRun, fieldManager, fieldValidation]
export const patchParameters: readonly JsonObject[] = [...writeParameters, force]
export const readParameters: readonly JsonObject[] = [pretty]

export const listParameters: readonly JsonObject[] = [
  pretty,
  query('allowWatchBookmarks', 'boolean', 'A watch may send bookmarks: events that tell only the revision reached.'),
  query('continue', 'string', 'The continue token of the page before.'),
  query('fieldSelector', 'string', 'Only objects whose fields match.'),
  query('labelSelector', 'string', 'Only objects whose labels match.'),
  query('limit', 'integer', 'The most items of a page.'),
  query('resourceVersion', 'string', 'How recent the answer must be, or where a watch starts.'),
  query('resourceVersionMatch', 'string', 'How resourceVersion is applied: Exact or NotOlderThan.'),
  query('sendInitialEvents', 'boolean', 'A watch begins with the present state.'),
  query('timeoutSeconds', 'integer', 'When the request ends, however active it is.'),
  query('watch', 'boolean', 'Tell changes as they happen instead of a list.'),
]

export const deleteParameters: readonly JsonObject[] = [
  pretty,
  dryRun,
  query('gracePeriodSeconds', 'integer', 'Seconds the object has to end gracefully. Zero means at once.'),
  query('orphanDependents', 'boolean', 'Superseded by propagationPolicy.'),
  query('propagationPolicy', 'string', 'What happens to dependents: Orphan, Background or Foreground.'),
]

export const nameParameter = (kind: string): JsonObject => parameter('path', 'name', 'string', `Name of the ${kind}`)
export const namespaceParameter: JsonObject = parameter('path', 'namespace', 'string', 'The namespace the objects are in')
