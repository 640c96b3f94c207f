import { type FieldError, invalid } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { ageColumn, column } from '../columns.ts'
import { nonNegative } from '../checks.ts'
import { leaseSpec } from '../fields/coordination.ts'
import { defineKind } from '../kind.ts'
import { isAbsent, numberIn, specOf, textIn } from '../tree.ts'

export const lease = defineKind({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  resource: 'leases',
  fields: { spec: leaseSpec },
  columns: [column('Holder', 'Who holds the lease.', (object) => textIn(specOf(object).holderIdentity)), ageColumn],
  // Two holders must not overwrite each other: every update says which state it saw.
  behaviour: { allowsUnconditionalUpdate: false, allowsCreateOnUpdate: true, validate: (object) => specErrors(specOf(object)) },
})

function specErrors(spec: JsonObject): readonly FieldError[] {
  const { leaseDurationSeconds } = spec
  const isShort = !isAbsent(leaseDurationSeconds) && numberIn(leaseDurationSeconds) <= 0
  return [
    ...(isShort ? [invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')] : []),
    ...nonNegative(spec, 'spec', ['leaseTransitions']),
  ]
}
