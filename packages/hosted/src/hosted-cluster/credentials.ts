import { Namespace, Role, RoleBinding, Secret } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import type { Action } from '@windlass/kube'
import { ensuredCopy } from './copying.ts'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { outcome } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { ensured, removed } from './snapshot.ts'
import { textAt } from './unmodelled.ts'
import { asExpected, isNot } from './verdict.ts'
import type { Verdict } from './verdict.ts'
import { Annotation } from './wire.ts'

type Aws = NonNullable<HostedCluster['spec']['platform']['aws']>

/** Secrets with credentials, and the role that each of them is for. */
const awsRoles: readonly (readonly [secret: string, role: keyof Aws['rolesRef']])[] = [
  ['cloud-controller-creds', 'kubeCloudControllerARN'],
  ['node-management-creds', 'nodePoolManagementARN'],
  ['control-plane-operator-creds', 'controlPlaneOperatorARN'],
  ['cloud-network-config-controller-creds', 'networkARN'],
  ['ebs-cloud-credentials', 'storageARN'],
]

/** What the parts of a control plane need to be let into the infrastructure. */
export function platformCredentials(observed: ObservedHostedCluster): Outcome {
  const { type } = observed.cluster.spec.platform
  if (type === 'AWS') return awsCredentials(observed)
  return outcome({ actions: type === 'Agent' ? agentAccess(observed) : [] })
}

/** The condition PlatformCredentialsFound. */
export function platformCredentialsFound(observed: ObservedHostedCluster): Verdict {
  const { problems } = platformCredentials(observed)
  if (problems.length === 0) return asExpected('Required platform credentials are found')
  return isNot('PlatformCredentialsNotFound', problems.join('; '))
}

function awsCredentials({ cluster, objects }: ObservedHostedCluster): Outcome {
  const { aws } = cluster.spec.platform
  if (aws === undefined) return outcome({ problems: ['spec.platform.aws is missing, which names the roles'] })
  const kms = textAt(cluster.spec.secretEncryption?.kms, 'aws', 'auth', 'awsKms')
  const wanted = awsRoles.map(([name, role]) => ({ name, arn: aws.rolesRef[role], field: `spec.platform.aws.rolesRef.${role}` }))
  const all = kms === undefined ? wanted : [...wanted, { name: 'kms-creds', arn: kms, field: '' }]
  return outcome({
    actions: all
      .filter(({ arn }) => arn !== '')
      .flatMap(({ name, arn }) => {
        const contents = { type: 'Opaque', data: { credentials: Buffer.from(profile(arn, aws.region)).toString('base64') } }
        return ensuredCopy(objects, Secret, name, contents, cluster, 'a part of the control plane takes this role')
      }),
    problems: all.filter(({ arn }) => arn === '').map(({ name, field }) => `${field} is empty, so that Secret ${name} cannot be made`),
  })
}

/** How the libraries of the cloud are told to take a role with the token of a service account. */
function profile(arn: string, region: string): string {
  const token = '/var/run/secrets/openshift/serviceaccount/token'
  return `[default]\nrole_arn = ${arn}\nweb_identity_token_file = ${token}\nsts_regional_endpoints = regional\nregion = ${region}\n`
}

/** Machines of Agent clusters are taken from a namespace that belongs to somebody else. */
function agentAccess({ cluster, objects }: ObservedHostedCluster): readonly Action[] {
  const ref = agentAccessOf(cluster)
  if (ref === undefined || objects.find(Namespace, { name: ref.namespace }) === undefined) return []
  const { namespace } = ref
  const annotations = { [Annotation.cluster]: clusterKeyOf(cluster) }
  const rules = [{ apiGroups: ['agent-install.openshift.io'], resources: ['agents'], verbs: ['get', 'list', 'watch', 'update', 'patch'] }]
  const subjects = [{ kind: 'ServiceAccount', name: 'capi-provider', namespace: controlPlaneNamespaceOf(cluster) }] as const
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: ref.role } as const
  const reason = 'the machine provider takes hosts from there'
  return [
    ...ensured(objects, Role, { metadata: { name: ref.role, namespace, annotations }, rules }, reason),
    ...ensured(objects, RoleBinding, { metadata: { name: ref.binding, namespace, annotations }, subjects, roleRef }, reason),
  ]
}

function agentAccessOf(cluster: HostedCluster) {
  const { type, agent } = cluster.spec.platform
  if (type !== 'Agent' || agent === undefined) return undefined
  const suffix = controlPlaneNamespaceOf(cluster)
  return { namespace: agent.agentNamespace, role: `capi-provider-role-${suffix}`, binding: `cluster-api-agent-${suffix}` }
}

/** Takes back what lies outside of the namespace of the control plane; the rest goes with the namespace. */
export function withdrawCredentials({ cluster, objects }: ObservedHostedCluster): readonly Action[] {
  const ref = agentAccessOf(cluster)
  if (ref === undefined) return []
  const { namespace } = ref
  const reason = 'the cluster that it was for is being deleted'
  return [
    ...removed(RoleBinding, objects.find(RoleBinding, { namespace, name: ref.binding }), reason),
    ...removed(Role, objects.find(Role, { namespace, name: ref.role }), reason),
  ]
}

/** Whether the cloud lets us in. Unknown is not enough: what is left to the cloud then would wait for ever. */
export function areAwsCredentialsValid(conditions: readonly { readonly type: string; readonly status: string }[]): boolean {
  const of = (type: string): string | undefined => conditions.find((condition) => condition.type === type)?.status
  return of('ValidOIDCConfiguration') !== 'False' && ['True', undefined].includes(of('ValidAWSIdentityProvider'))
}
