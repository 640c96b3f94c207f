import { parseAllDocuments } from 'yaml'
import { isRecord, type JsonRecord, textOf } from '../json.ts'
import { InvalidMirrorError, type MirrorRule, type MirrorSets, readMirrors } from './mirrors.ts'

/** Kinds of OpenShift that say where images are as well: the field of their spec, and which pullspecs it is for. */
const kinds: ReadonlyMap<string, { readonly field: string; readonly of: keyof MirrorSets }> = new Map([
  ['ImageDigestMirrorSet', { field: 'imageDigestMirrors', of: 'digests' }],
  ['ImageTagMirrorSet', { field: 'imageTagMirrors', of: 'tags' }],
  ['ImageContentSourcePolicy', { field: 'repositoryDigestMirrors', of: 'digests' }],
])

/**
 * Reads mirrors from a file as `oc get imagedigestmirrorset,imagetagmirrorset -o yaml` writes it: objects of these kinds, one after the other or in a list.
 *
 * # Errors
 *
 * `InvalidMirrorError`.
 */
export function parseMirrorSets(text: string): MirrorSets {
  const sets: Record<keyof MirrorSets, MirrorRule[]> = { digests: [], tags: [] }
  for (const [index, document] of [...parseAllDocuments(text)].entries()) {
    const [error] = document.errors
    if (error !== undefined) throw new InvalidMirrorError(`document ${index + 1}`, error.message.split('\n')[0] ?? 'is no YAML')
    for (const object of objectsIn(document.toJS())) addRules(sets, object)
  }
  readMirrors(sets)
  return sets
}

function objectsIn(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return []
  return isRecord(value) && Array.isArray(value['items']) ? value['items'] : [value]
}

function addRules(sets: Record<keyof MirrorSets, MirrorRule[]>, object: unknown): void {
  const { kind, spec } = isRecord(object) ? object : {}
  const known = kinds.get(textOf(kind))
  if (known === undefined)
    throw new InvalidMirrorError('kind', `"${textOf(kind)}" tells nothing of mirrors: write ${[...kinds.keys()].join(', ')}`)
  const rules = isRecord(spec) ? (spec[known.field] ?? []) : []
  if (!Array.isArray(rules)) throw new InvalidMirrorError(`spec.${known.field}`, 'it must be a list')
  for (const [index, rule] of rules.entries()) sets[known.of].push(ruleOf(rule, `spec.${known.field}[${index}]`))
}

function ruleOf(rule: unknown, field: string): MirrorRule {
  if (!isRecord(rule)) throw new InvalidMirrorError(field, 'it must have a source and mirrors')
  const { source, mirrors = [], mirrorSourcePolicy } = rule
  if (!Array.isArray(mirrors) || !mirrors.every((mirror) => typeof mirror === 'string'))
    throw new InvalidMirrorError(`${field}.mirrors`, 'it must be a list of registries')
  return { source: textOf(source), mirrors, ...policyOf(mirrorSourcePolicy, field) }
}

function policyOf(policy: JsonRecord[string], field: string): Pick<MirrorRule, 'mirrorSourcePolicy'> {
  if (policy === undefined) return {}
  if (policy === 'AllowContactingSource' || policy === 'NeverContactSource') return { mirrorSourcePolicy: policy }
  throw new InvalidMirrorError(`${field}.mirrorSourcePolicy`, 'write AllowContactingSource or NeverContactSource')
}
