import { type FieldError, invalid } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { qualifiedNameProblems } from '../../registry/names.ts'
import type { WriteContext } from '../../registry/resource.ts'
import { ageColumn, column } from '../columns.ts'
import { namespaceSpec, namespaceStatus } from '../fields/core.ts'
import { allVerbs, defineKind } from '../kind.ts'
import { change, fill, itemsIn, metadataOf, objectIn, put, specOf, statusOf, textIn, textsIn } from '../tree.ts'

const nameLabel = 'kubernetes.io/metadata.name'
/** Held until everything inside is gone. */
const contentFinalizer = 'kubernetes'
const standardFinalizers: ReadonlySet<string> = new Set([contentFinalizer, 'orphan', 'foregroundDeletion'])

export const namespace = defineKind({
  group: '',
  kind: 'Namespace',
  resource: 'namespaces',
  shortNames: ['ns'],
  isClusterScoped: true,
  verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
  fields: { spec: namespaceSpec, status: namespaceStatus },
  hasStatus: true,
  columns: [column('Status', 'Whether the namespace is in use or on its way out.', (object) => textIn(statusOf(object).phase)), ageColumn],
  subresources: [{ name: 'finalize', group: '', version: 'v1', kind: 'Namespace', verbs: ['update'] }],
  defaults: (object) => change(labelled(object), 'status', (status) => fill(status, { phase: 'Active' })),
  behaviour: {
    names: 'label',
    deleteAnswersObject: true,
    prepareForCreate: (object) => put(put(labelled(object), 'spec', withContentFinalizer(specOf(object))), 'status', { phase: 'Active' }),
    prepareForUpdate: keepOthers,
    validate: (object) => textsIn(specOf(object).finalizers).flatMap(finalizerErrors),
    fieldLabelNames: ['status.phase'],
    fieldLabels: (object) => ({ 'status.phase': textIn(statusOf(object).phase) }),
    isHeld: (object) => itemsIn(specOf(object).finalizers).length > 0,
    // The controller that empties the namespace ends it: there is no grace period to wait for.
    markDeleted: (object) =>
      change(
        change(object, 'status', (status) => put(status, 'phase', 'Terminating')),
        'metadata',
        (metadata) => put(metadata, 'deletionGracePeriodSeconds', undefined),
      ),
  },
})

/** Lets selectors name a namespace; kept by the server whatever clients write. */
function labelled(object: JsonObject): JsonObject {
  const metadata = metadataOf(object)
  const name = textIn(metadata.name)
  if (name === '') return object
  return put(object, 'metadata', put(metadata, 'labels', put(objectIn(metadata.labels), nameLabel, name)))
}

function withContentFinalizer(spec: JsonObject): JsonObject {
  const finalizers = textsIn(spec.finalizers)
  return finalizers.includes(contentFinalizer) ? spec : put(spec, 'finalizers', [...finalizers, contentFinalizer])
}

/** Finalizers change through `/finalize`, the status through `/status`, everything else through neither. */
function keepOthers(object: JsonObject, old: JsonObject, { subresource }: WriteContext): JsonObject {
  const placed = labelled(object)
  if (subresource === 'status') return put(placed, 'spec', old.spec)
  const kept = put(placed, 'status', old.status)
  return subresource === 'finalize' ? kept : put(kept, 'spec', old.spec)
}

function finalizerErrors(name: string): readonly FieldError[] {
  const problems = [...qualifiedNameProblems(name)]
  if (!name.includes('/') && !standardFinalizers.has(name))
    problems.push('name is neither a standard finalizer name nor is it fully qualified')
  return problems.map((problem) => invalid('spec.finalizers', name, problem))
}
