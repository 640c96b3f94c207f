import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts'
import { equalJson, type JsonObject } from '../../json.ts'
import { pathSegmentProblems } from '../../registry/names.ts'
import type { ComputedColumn } from '../../registry/resource.ts'
import { ageColumn, column, wide } from '../columns.ts'
import { dnsSubdomain } from '../checks.ts'
import { list } from '../dsl/index.ts'
import { roleRef, subject } from '../fields/rbac.ts'
import { defineKind } from '../kind.ts'
import { change, changeItems, objectIn, objectsIn, put, textIn } from '../tree.ts'
import { rbacGroup } from './role.ts'

const columns: readonly ComputedColumn[] = [
  column('Role', 'What is granted.', ({ roleRef: role }) => `${textIn(objectIn(role).kind)}/${textIn(objectIn(role).name)}`),
  ageColumn,
  wide('Users', 'Users it is granted to.', (object) => names(object, 'User')),
  wide('Groups', 'Groups it is granted to.', (object) => names(object, 'Group')),
  wide('ServiceAccounts', 'ServiceAccounts it is granted to.', (object) => names(object, 'ServiceAccount')),
]

const fields = { subjects: list(subject), roleRef }

export const roleBinding = defineKind({
  group: rbacGroup,
  kind: 'RoleBinding',
  resource: 'rolebindings',
  fields,
  columns,
  defaults: complete,
  behaviour: {
    names: 'path',
    allowsCreateOnUpdate: true,
    validate: (object, old) => bindingErrors(object, old, ['Role', 'ClusterRole'], false),
  },
})

export const clusterRoleBinding = defineKind({
  group: rbacGroup,
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  isClusterScoped: true,
  fields,
  columns,
  defaults: complete,
  behaviour: { names: 'path', allowsCreateOnUpdate: true, validate: (object, old) => bindingErrors(object, old, ['ClusterRole'], true) },
})

function complete(object: JsonObject): JsonObject {
  const grouped = changeItems(object, 'subjects', (each) => {
    const needsGroup = textIn(each.apiGroup) === '' && (each.kind === 'User' || each.kind === 'Group')
    return needsGroup ? put(each, 'apiGroup', rbacGroup) : each
  })
  return change(grouped, 'roleRef', (role) => (textIn(role.apiGroup) === '' ? put(role, 'apiGroup', rbacGroup) : role))
}

function names(object: JsonObject, kind: string): string {
  const found = objectsIn(object.subjects).filter((each) => each.kind === kind)
  return found.map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${textIn(namespace)}/${textIn(name)}` : textIn(name))).join(', ')
}

function bindingErrors(
  object: JsonObject,
  old: JsonObject | undefined,
  kinds: readonly string[],
  needsNamespace: boolean,
): readonly FieldError[] {
  // A binding to another role would be another grant under the old name.
  const moved =
    old !== undefined && !equalJson(object.roleRef, old.roleRef)
      ? [invalid('roleRef', object.roleRef ?? null, 'cannot change roleRef')]
      : []
  const subjects = objectsIn(object.subjects).flatMap((each, index) => subjectErrors(each, needsNamespace, `subjects[${index}]`))
  return [...roleErrors(objectIn(object.roleRef), kinds), ...subjects, ...moved]
}

function roleErrors({ apiGroup, kind, name }: JsonObject, kinds: readonly string[]): readonly FieldError[] {
  const text = textIn(name)
  return [
    ...(apiGroup === rbacGroup ? [] : [notSupported('roleRef.apiGroup', textIn(apiGroup), [rbacGroup])]),
    ...(kinds.includes(textIn(kind)) ? [] : [notSupported('roleRef.kind', textIn(kind), kinds)]),
    ...(text === '' ? [required('roleRef.name')] : pathSegmentProblems(text).map((problem) => invalid('roleRef.name', text, problem))),
  ]
}

function subjectErrors(each: JsonObject, needsNamespace: boolean, field: string): readonly FieldError[] {
  const [kind, name, group] = [textIn(each.kind), textIn(each.name), textIn(each.apiGroup)]
  const named = name === '' ? [required(`${field}.name`)] : []
  if (kind === 'ServiceAccount') {
    return [
      ...named,
      ...(name === '' ? [] : dnsSubdomain(name, `${field}.name`)),
      ...(group === '' ? [] : [notSupported(`${field}.apiGroup`, group, [''])]),
      ...(needsNamespace && textIn(each.namespace) === '' ? [required(`${field}.namespace`)] : []),
    ]
  }
  if (kind === 'User' || kind === 'Group')
    return [...named, ...(group === rbacGroup ? [] : [notSupported(`${field}.apiGroup`, group, [rbacGroup])])]
  return [...named, notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
}
