import { type FieldError, forbidden, invalid } from '../../errors/field-error.ts'
import { equalJson, type JsonObject } from '../../json.ts'
import { changeItems, isAbsent, itemsIn, numberIn, objectsIn, put, textIn } from '../tree.ts'

const containerLists = ['containers', 'initContainers']

const whatMayChange =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
  '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** A Pod is placed and started once: nearly all of its spec stays as it was. */
export function podSpecChangeErrors(next: JsonObject, old: JsonObject): readonly FieldError[] {
  for (const list of containerLists) {
    if (itemsIn(next[list]).length === itemsIn(old[list]).length) continue
    return [forbidden(`spec.${list}`, `pod updates may not add or remove ${list === 'containers' ? 'containers' : 'init containers'}`)]
  }
  const deadline = deadlineErrors(next, old)
  if (deadline.length > 0) return deadline
  const gates = gateErrors(next, old)
  const hasOtherChanges = !equalJson(withFreedom(next, old), old)
  return [...gates, ...(hasOtherChanges ? [forbidden('spec', whatMayChange)] : [])]
}

/** A deadline may be set and shortened, nothing else. */
function deadlineErrors(next: JsonObject, old: JsonObject): readonly FieldError[] {
  const field = 'spec.activeDeadlineSeconds'
  const [now, before] = [next.activeDeadlineSeconds, old.activeDeadlineSeconds]
  if (isAbsent(now)) return isAbsent(before) ? [] : [invalid(field, null, 'must not update from a positive integer to nil value')]
  if (!isAbsent(before) && numberIn(before) < numberIn(now)) return [invalid(field, now, 'must be less than or equal to previous value')]
  return []
}

function gateErrors(next: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = new Set(objectsIn(old.schedulingGates).map(({ name }) => textIn(name)))
  return objectsIn(next.schedulingGates)
    .filter(({ name }) => !before.has(textIn(name)))
    .map(({ name }) => forbidden('spec.schedulingGates', `only deletion is allowed, but found new scheduling gate '${textIn(name)}'`))
}

/** The new spec with those fields taken back that may change. */
function withFreedom(next: JsonObject, old: JsonObject): JsonObject {
  let spec = next
  for (const list of containerLists) {
    const before = objectsIn(old[list])
    let index = 0
    spec = changeItems(spec, list, (container) => put(container, 'image', before[index++]?.image))
  }
  spec = put(put(spec, 'activeDeadlineSeconds', old.activeDeadlineSeconds), 'schedulingGates', old.schedulingGates)
  if (addsTolerations(next, old)) spec = put(spec, 'tolerations', old.tolerations)
  if (numberIn(old.terminationGracePeriodSeconds) < 0 && next.terminationGracePeriodSeconds === 1) {
    spec = put(spec, 'terminationGracePeriodSeconds', old.terminationGracePeriodSeconds)
  }
  // A Pod that waits for its gates has not been placed: where it may go can still be narrowed.
  return itemsIn(old.schedulingGates).length === 0 ? spec : put(put(spec, 'nodeSelector', old.nodeSelector), 'affinity', old.affinity)
}

function addsTolerations(next: JsonObject, old: JsonObject): boolean {
  const now = itemsIn(next.tolerations)
  return itemsIn(old.tolerations).every((before) => now.some((toleration) => equalJson(toleration, before)))
}
