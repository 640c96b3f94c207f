import type { Behaviour, ResourceType, ResourceVersion } from '../registry/resource.ts'

/**
 * Small resource types for tests: `aCustomType({ resource: 'widgets' })` is whole and valid, and a test sets only what it is about.
 */
const behaviour: Behaviour = {
  names: 'subdomain',
  allowsUnconditionalUpdate: false,
  allowsCreateOnUpdate: false,
  hasGeneration: true,
  deleteAnswersObject: false,
  typed: false,
}

export function aVersion(given: Partial<ResourceVersion> = {}): ResourceVersion {
  return { name: 'v1', served: true, schema: { type: 'object' }, hasStatus: false, columns: [], selectableFields: [], ...given }
}

export function aCustomType(given: Partial<ResourceType> = {}): ResourceType {
  return {
    group: 'test.windlass.dev',
    resource: 'widgets',
    singular: 'widget',
    kind: 'Widget',
    listKind: 'WidgetList',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    versions: [aVersion()],
    storageVersion: 'v1',
    isCustom: true,
    behaviour,
    ...given,
  }
}

export function aBuiltInType(given: Partial<ResourceType> = {}, ways: Partial<Behaviour> = {}): ResourceType {
  return aCustomType({
    group: '',
    resource: 'configmaps',
    singular: 'configmap',
    kind: 'ConfigMap',
    listKind: 'ConfigMapList',
    isCustom: false,
    behaviour: { ...behaviour, typed: true, ...ways },
    ...given,
  })
}
