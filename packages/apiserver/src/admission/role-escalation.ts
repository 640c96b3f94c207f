import { assertNoEscalation, rbacGroup } from '../auth/index.ts'
import type { Cluster } from '../clusters/cluster.ts'
import type { AdmissionPlugin } from '../registry/admission.ts'

const resources = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'] as const

export function roleEscalation(clusterOf: (name: string) => Cluster | undefined): AdmissionPlugin {
  return {
    name: 'RoleEscalation',
    validate({ cluster, served, operation, namespace, name, object, old, user }) {
      if (served.type.group !== rbacGroup || object === undefined) return
      const resource = resources.find((each) => each === served.type.resource)
      const authorizer = clusterOf(cluster)?.authorizer
      if (resource === undefined || authorizer === undefined) return
      const write = { resource, namespace, name: operation === 'CREATE' ? '' : name, object, ...(old === undefined ? {} : { old }) }
      assertNoEscalation(authorizer, user, write)
    },
  }
}
