import { ageColumn, column } from '../columns.ts'
import { boolean, list, listBy, pointer } from '../dsl/index.ts'
import { localObjectReference, objectReference } from '../fields/references.ts'
import { defineKind } from '../kind.ts'
import { itemsIn } from '../tree.ts'

export const serviceAccount = defineKind({
  group: '',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  shortNames: ['sa'],
  fields: {
    secrets: listBy('name', objectReference),
    imagePullSecrets: list(localObjectReference),
    automountServiceAccountToken: pointer(boolean),
  },
  columns: [column('Secrets', 'How many Secrets the account may use.', ({ secrets }) => itemsIn(secrets).length), ageColumn],
  subresources: [{ name: 'token', group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] }],
  behaviour: { deleteAnswersObject: true },
})
