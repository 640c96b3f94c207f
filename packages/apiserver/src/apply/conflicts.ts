import { ApiError, type StatusCause } from '../errors/api-error.ts'
import { identity, type Entry } from './entries.ts'
import { paths, type Fields } from './fields.ts'
import { pathText } from './path-element.ts'

/** Fields to which an apply gives another value than the manager that owns them. */
export interface Conflict {
  readonly with: Entry
  readonly fields: Fields
}

/** 409: other managers own what was to be changed. Names every one of them and every field. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const ordered = conflicts.toSorted((a, b) => (identity(a.with) < identity(b.with) ? -1 : 1))
  const found = ordered.map((conflict) => ({ manager: managerText(conflict.with), fields: [...paths(conflict.fields)].map(pathText) }))
  const causes = found.flatMap(({ manager, fields }) =>
    fields.map((field): StatusCause => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field })),
  )
  return new ApiError(409, 'Conflict', `Apply failed with ${summary(causes, found)}`, { details: { causes } })
}

function summary(
  causes: readonly StatusCause[],
  found: readonly { readonly manager: string; readonly fields: readonly string[] }[],
): string {
  const [only] = causes
  if (causes.length === 1 && only !== undefined) return `1 conflict: ${only.message}: ${only.field}`
  const lines = found.flatMap(({ manager, fields }) => [`conflicts with ${manager}:`, ...fields.map((field) => `- ${field}`)])
  return `${causes.length} conflicts: ${lines.join('\n')}`
}

/** `"x"`, `"x" with subresource "status"`, `"x" using v1`: updaters are told by version, appliers are not. */
function managerText({ manager, operation, apiVersion, subresource }: Entry): string {
  const below = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`
  const version = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${JSON.stringify(manager)}${below}${version}`
}
