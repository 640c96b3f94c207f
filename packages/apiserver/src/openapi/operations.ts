import type { GroupVersion, ReviewKind, ServedType } from '../discovery/groups.ts'
import type { Json, JsonObject, MutableObject } from '../json.ts'
import { capitalized, componentName, documentKey, metaName, operationInfix, reference, scaleName } from './names.ts'
import {
  deleteParameters,
  listParameters,
  nameParameter,
  namespaceParameter,
  patchParameters,
  readParameters,
  writeParameters,
} from './parameters.ts'

/** What one operation does, in terms from which its whole description follows. */
interface Action {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'
  readonly gvk: { readonly group: string; readonly version: string; readonly kind: string }
  /** Component of what is sent and answered. */
  readonly component: string
  readonly answers?: string
  readonly idSuffix: string
  readonly isCustom: boolean
}

const methods: Readonly<Record<Action['verb'], string>> = {
  get: 'get',
  list: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
}

const idWords: Readonly<Record<Action['verb'], string>> = {
  get: 'read',
  list: 'list',
  create: 'create',
  update: 'replace',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deleteCollection',
}

const parameters: Readonly<Record<Action['verb'], readonly JsonObject[]>> = {
  get: readParameters,
  list: listParameters,
  create: writeParameters,
  update: writeParameters,
  patch: patchParameters,
  delete: deleteParameters,
  deletecollection: [...listParameters, ...deleteParameters.slice(1)],
}

/** The paths of one group version, with all operations that its verbs allow. */
export function pathsOf(served: GroupVersion): Readonly<Record<string, JsonObject>> {
  const root = `/${documentKey(served.group, served.version)}`
  const paths: Record<string, JsonObject> = {}
  for (const each of served.types) addType(paths, root, each)
  for (const review of served.reviews) addReview(paths, root, review)
  return paths
}

function addType(paths: Record<string, JsonObject>, root: string, { type, version }: ServedType): void {
  const gvk = { group: type.group, version: version.name, kind: type.kind }
  const scope = type.namespaced ? 'Namespaced' : ''
  const infix = operationInfix(type.group, version.name)
  const action = (verb: Action['verb'], component: string, suffix = '', of: Action['gvk'] = gvk): Action => ({
    verb,
    gvk: of,
    component,
    idSuffix: `${infix}${scope}${type.kind}${suffix}`,
    isCustom: type.isCustom,
  })
  const can = (verb: string): boolean => type.verbs.some((each) => each === verb)
  const object = componentName(type, version.name, type.kind)
  const list = componentName(type, version.name, type.listKind)
  const collection = type.namespaced ? `${root}/namespaces/{namespace}/${type.resource}` : `${root}/${type.resource}`
  const inNamespace = type.namespaced ? [namespaceParameter] : []
  const ofObject = [nameParameter(type.kind), ...inNamespace]
  const item = `${collection}/{name}`

  const collectionActions = [
    action('list', list),
    action('create', object),
    { ...action('deletecollection', object), answers: metaName('Status') },
  ]
  paths[collection] = pathItem(
    collectionActions.filter(({ verb }) => can(verb)),
    inNamespace,
  )
  const itemActions = [action('get', object), action('update', object), action('patch', object)]
  const deletion = { ...action('delete', object), answers: type.behaviour.deleteAnswersObject ? object : metaName('Status') }
  paths[item] = pathItem(
    [...itemActions, deletion].filter(({ verb }) => can(verb)),
    ofObject,
  )
  if (type.namespaced && can('list')) paths[`${root}/${type.resource}`] = pathItem([action('list', list, 'ForAllNamespaces')], [])
  if (version.hasStatus) {
    paths[`${item}/status`] = pathItem(
      readAndWrite.map((verb) => action(verb, object, 'Status')),
      ofObject,
    )
  }
  if (version.scale !== undefined) {
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
    paths[`${item}/scale`] = pathItem(
      readAndWrite.map((verb) => action(verb, scaleName, 'Scale', scale)),
      ofObject,
    )
  }
  for (const extra of type.extraSubresources ?? []) {
    const itsVersion = extra.version === '' ? version.name : extra.version
    const component = componentName({ group: extra.group, isCustom: type.isCustom && extra.group === type.group }, itsVersion, extra.kind)
    const kind = { group: extra.group, version: itsVersion, kind: extra.kind }
    const verbs = subresourceVerbs.filter((verb) => extra.verbs.includes(verb))
    const suffix = capitalized(extra.name)
    paths[`${item}/${extra.name}`] = pathItem(
      verbs.map((verb) => action(verb, component, suffix, kind)),
      ofObject,
    )
  }
}

const readAndWrite = ['get', 'update', 'patch'] as const
const subresourceVerbs = ['get', 'create', 'update', 'patch', 'delete'] as const

function addReview(paths: Record<string, JsonObject>, root: string, { group, version, resource, kind, namespaced }: ReviewKind): void {
  const path = namespaced ? `${root}/namespaces/{namespace}/${resource}` : `${root}/${resource}`
  const component = componentName({ group, isCustom: false }, version, kind)
  const idSuffix = `${operationInfix(group, version)}${namespaced ? 'Namespaced' : ''}${kind}`
  const create: Action = { verb: 'create', gvk: { group, version, kind }, component, idSuffix, isCustom: false }
  paths[path] = pathItem([create], namespaced ? [namespaceParameter] : [])
}

function pathItem(actions: readonly Action[], pathParameters: readonly JsonObject[]): JsonObject {
  const item: MutableObject = {}
  for (const action of actions) item[methods[action.verb]] = operation(action)
  if (pathParameters.length > 0) item.parameters = pathParameters
  return item
}

const actionNames: Readonly<Record<Action['verb'], string>> = { ...methods, get: 'get', list: 'list', deletecollection: 'deletecollection' }

function operation(action: Action): JsonObject {
  const { verb, gvk, component, answers = component } = action
  const body = requestBody(action)
  const answer = content(['application/json'], reference(answers))
  const responses: MutableObject = { 200: { description: 'OK', content: answer } }
  if (verb === 'create' || verb === 'update' || verb === 'patch') responses[201] = { description: 'Created', content: answer }
  if (verb === 'create' || verb === 'delete') responses[202] = { description: 'Accepted', content: answer }
  responses[401] = { description: 'Unauthorized' }
  return {
    description: `${idWords[verb].replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)} ${gvk.kind}`,
    operationId: `${idWords[verb]}${action.idSuffix}`,
    parameters: parameters[verb],
    ...(body === undefined ? {} : { requestBody: body }),
    responses,
    'x-kubernetes-action': actionNames[verb],
    'x-kubernetes-group-version-kind': { ...gvk },
  }
}

const customPatches = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json']
const builtInPatches = [...customPatches, 'application/strategic-merge-patch+json']

function requestBody({ verb, component, isCustom }: Action): JsonObject | undefined {
  if (verb === 'create' || verb === 'update') {
    return { content: content(['application/json', 'application/yaml'], reference(component)), required: true }
  }
  if (verb === 'patch') {
    return { content: content(isCustom ? customPatches : builtInPatches, reference(metaName('Patch'))), required: true }
  }
  if (verb === 'delete' || verb === 'deletecollection')
    return { content: content(['application/json'], reference(metaName('DeleteOptions'))) }
  return undefined
}

function content(mediaTypes: readonly string[], schema: Json): JsonObject {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]))
}
