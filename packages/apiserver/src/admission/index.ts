/**
 * What may stop a valid write.
 *
 * - `protected-namespaces.ts`: the namespaces a cluster cannot do without.
 * - `role-escalation.ts`: nobody grants what they do not have.
 * - `policies.ts`: ValidatingAdmissionPolicies, users' own rules in CEL; `policy.ts` is one of them, compiled.
 *
 * The chain itself is in `registry/admission.ts`. That namespaces exist and are not going away is checked where objects are created.
 */
import type { Cluster } from '../clusters/cluster.ts'
import type { AdmissionPlugin } from '../registry/admission.ts'
import { admissionPolicies } from './policies.ts'
import { protectedNamespaces } from './protected-namespaces.ts'
import { roleEscalation } from './role-escalation.ts'

export function builtinAdmission(clusterOf: (name: string) => Cluster | undefined): readonly AdmissionPlugin[] {
  return [protectedNamespaces, roleEscalation(clusterOf), admissionPolicies(clusterOf)]
}
