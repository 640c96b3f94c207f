import { GoText, invalid, notSupported, required, type FieldError } from '../errors/field-error.ts'
import { equalJson, type JsonObject } from '../json.ts'
import { serviceNameProblems, subdomainProblems } from '../registry/names.ts'
import { approvalErrors } from './approval.ts'
import { isTrue, object, readDefinition, type Definition, type Version } from './model.ts'
import { conversionErrors } from './validate-conversion.ts'
import { missingNames, nameErrors } from './validate-names.ts'
import { schemaErrors } from './validate-schema.ts'
import { columnErrors, deprecationErrors, selectableErrors, subresourceErrors } from './validate-version.ts'

/**
 * All that is wrong with a CustomResourceDefinition, in the order of a real server.
 *
 * @param old set on updates: what may never change, and what may not once it is served
 */
export function validateCrd(crd: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const definition = readDefinition(crd)
  const before = old === undefined ? undefined : readDefinition(old)
  return [
    ...(before === undefined ? ownNameErrors(definition) : []),
    ...specErrors(definition, sharedParts(crd)),
    ...(before === undefined ? [] : changeErrors(definition, before)),
    ...statusErrors(crd),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, before),
    ...preservingErrors(definition, before),
  ]
}

/** What is wrong with the status alone. */
export function statusErrors(crd: JsonObject): readonly FieldError[] {
  return nameErrors(readDefinition(crd).accepted, 'status.acceptedNames')
}

function ownNameErrors({ name, names, group }: Definition): readonly FieldError[] {
  return name === `${names.plural}.${group}` ? [] : [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]
}

/**
 * Servers keep what all versions share once, above them, and that is where errors point: `spec.validation` for the schema when there is
 * only one.
 */
interface SharedParts {
  readonly schema: boolean
  readonly subresources: boolean
  readonly columns: boolean
  readonly selectable: boolean
}

function sharedParts(crd: JsonObject): SharedParts {
  const versions = object(crd.spec).versions
  const all = Array.isArray(versions) ? versions.map((each) => object(each)) : []
  const isSame = (part: string): boolean => all.every((version) => equalJson(version[part] ?? null, all[0]?.[part] ?? null))
  return {
    schema: isSame('schema'),
    subresources: isSame('subresources'),
    columns: isSame('additionalPrinterColumns'),
    selectable: isSame('selectableFields'),
  }
}

function specErrors(definition: Definition, shared: SharedParts): readonly FieldError[] {
  const { versions, names } = definition
  const [first] = versions
  const hasStatus = versions.some(({ subresources }) => subresources?.status !== undefined && subresources.status !== null)
  return [
    ...groupErrors(definition),
    ...scopeErrors(definition),
    ...versions.flatMap(({ schema }, index) =>
      schema === undefined ? [required(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required')] : [],
    ),
    ...versions.flatMap((version, index) => versionErrors(version, shared, `spec.versions[${index}]`)),
    ...versionListErrors(definition),
    ...missingNames(names, 'spec.names'),
    ...nameErrors(names, 'spec.names'),
    ...(first === undefined ? [] : sharedErrors(first, shared, hasStatus)),
    ...conversionErrors(definition.conversion, 'spec.conversion'),
  ]
}

function groupErrors({ group }: Definition): readonly FieldError[] {
  if (group === '') return [required('spec.group')]
  const problems = subdomainProblems(group)
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))]
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')]
}

const scopes = ['Cluster', 'Namespaced']

function scopeErrors({ scope }: Definition): readonly FieldError[] {
  if (scope === '') return [required('spec.scope')]
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)]
}

function versionErrors(version: Version, shared: SharedParts, field: string): readonly FieldError[] {
  const { name, schema, subresources, columns, selectablePaths } = version
  const problems = serviceNameProblems(name)
  const hasStatus = subresources?.status !== undefined && subresources.status !== null
  return [
    ...(problems.length === 0 ? [] : [invalid(`${field}.name`, name, problems.join(','))]),
    ...deprecationErrors(version, field),
    ...(shared.schema || schema === undefined ? [] : schemaErrors(schema, hasStatus, `${field}.schema.openAPIV3Schema`)),
    ...(shared.subresources ? [] : subresourceErrors(subresources, `${field}.subresources`)),
    ...(shared.columns ? [] : columns.flatMap((column, index) => columnErrors(column, `${field}.additionalPrinterColumns[${index}]`))),
    ...(shared.selectable || schema === undefined ? [] : selectableErrors(selectablePaths, schema, `${field}.selectableFields`)),
  ]
}

/** What all versions have in common, checked once. */
function sharedErrors(version: Version, shared: SharedParts, hasStatus: boolean): readonly FieldError[] {
  const { schema, subresources, columns, selectablePaths } = version
  return [
    ...(shared.schema && schema !== undefined ? schemaErrors(schema, hasStatus, 'spec.validation.openAPIV3Schema') : []),
    ...(shared.subresources ? subresourceErrors(subresources, 'spec.subresources') : []),
    ...(shared.columns ? columns.flatMap((column, index) => columnErrors(column, `spec.additionalPrinterColumns[${index}]`)) : []),
    ...(shared.selectable && schema !== undefined ? selectableErrors(selectablePaths, schema, 'spec.selectableFields') : []),
  ]
}

function versionListErrors({ versions }: Definition): readonly FieldError[] {
  const shown = new GoText(
    `[]apiextensions.CustomResourceDefinitionVersion{${versions.map(({ name }) => `{Name:${JSON.stringify(name)}}`).join(', ')}}`,
  )
  const errors: FieldError[] = []
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalid('spec.versions', shown, 'must contain unique version names'))
  }
  if (versions.filter(({ isStored }) => isStored).length !== 1) {
    errors.push(invalid('spec.versions', shown, 'must have exactly one version marked as storage version'))
  }
  return errors
}

const immutable = (field: string, value: string, before: string): readonly FieldError[] =>
  value === before ? [] : [invalid(field, value, 'field is immutable')]

function changeErrors(definition: Definition, before: Definition): readonly FieldError[] {
  const isEstablished = isTrue(before, 'Established')
  return [
    ...(isEstablished ? immutable('spec.scope', definition.scope, before.scope) : []),
    ...(isEstablished ? immutable('spec.names.kind', definition.names.kind, before.names.kind) : []),
    ...immutable('spec.group', definition.group, before.group),
    ...immutable('spec.names.plural', definition.names.plural, before.names.plural),
  ]
}

/** Versions in which objects may be stored must stay. */
function storedVersionErrors({ storedVersions, versions }: Definition): readonly FieldError[] {
  const field = 'status.storedVersions'
  const shown = new GoText(
    storedVersions.length === 0 ? '[]string(nil)' : `[]string{${storedVersions.map((each) => JSON.stringify(each)).join(', ')}}`,
  )
  if (storedVersions.length === 0) return [invalid(field, shown, 'must have at least one stored version')]
  const missing = versions.filter(({ isStored, name }) => isStored && !storedVersions.includes(name))
  const gone = storedVersions.flatMap((name, index) => (versions.some((version) => version.name === name) ? [] : [{ name, index }]))
  return [
    ...missing.map(({ name }) => invalid(field, shown, `must have the storage version ${name}`)),
    ...gone.map(({ name, index }) => invalid(`${field}[${index}]`, name, goneText(name))),
  ]
}

const goneText = (version: string): string =>
  `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ` +
  `ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`

function preservingErrors({ preservesUnknownFields }: Definition, before: Definition | undefined): readonly FieldError[] {
  if (!preservesUnknownFields || before?.preservesUnknownFields === true) return []
  const detail = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalid('spec.preserveUnknownFields', true, detail)]
}
