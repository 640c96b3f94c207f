import { forbidden } from '../errors/api-error.ts'
import type { AdmissionPlugin } from '../registry/admission.ts'

const kept: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

export const protectedNamespaces: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  validate({ operation, served, name }) {
    if (operation !== 'DELETE' || served.type.group !== '' || served.type.resource !== 'namespaces' || !kept.has(name)) return
    throw forbidden(served.type, name, 'this namespace may not be deleted')
  },
}
