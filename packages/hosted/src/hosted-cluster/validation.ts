import { ConfigMap, Namespace, Route, Secret } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import { imageOverridesOf } from '../components/index.ts'
import { otherTenantOf } from './namespace.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import { networkProblems } from './networks.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { readSigningKey } from './signing-key.ts'
import { asExpected, isNot } from './verdict.ts'
import type { Verdict } from './verdict.ts'
import { Annotation } from './wire.ts'

type Check = (observed: ObservedHostedCluster) => readonly string[]

/** What can be wrong with a cluster that the API accepts: it takes a look at other objects to tell. */
const checks: readonly Check[] = [
  routesAreServed,
  signingKeyIsUsable,
  awsIsConsistent,
  kubevirtIsReachable,
  agentsHaveNamespace,
  azureIsThere,
  clusterIdIsUuid,
  hostnamesDiffer,
  ({ cluster }) => (cluster.spec.platform.type === 'IBMCloud' ? [] : networkProblems(cluster)),
  trustBundlesAreThere,
  namespaceIsFree,
  imageOverridesAreReadable,
]

/** The condition ValidConfiguration. Everything that is wrong is told at once: nobody wants to find out one by one. */
export function validConfiguration(observed: ObservedHostedCluster): Verdict {
  const problems = checks.flatMap((check) => check(observed))
  return problems.length === 0 ? asExpected('Configuration passes validation') : isNot('InvalidConfiguration', problems.join('; '))
}

function routesAreServed({ cluster, objects }: ObservedHostedCluster): readonly string[] {
  if (objects.serves(Route)) return []
  return cluster.spec.services
    .filter(({ servicePublishingStrategy }) => servicePublishingStrategy.type === 'Route')
    .map(({ service }) => `spec.services: ${service} is published by a Route, which the management cluster does not support`)
}

function signingKeyIsUsable({ cluster, objects }: ObservedHostedCluster): readonly string[] {
  const name = cluster.spec.serviceAccountSigningKey?.name
  if (!name) return []
  const { namespace = '' } = cluster.metadata
  if (!cluster.spec.issuerURL) return ['spec.issuerURL must be set together with spec.serviceAccountSigningKey']
  const secret = objects.find(Secret, { namespace, name })
  const key = secret === undefined ? `Secret ${namespace}/${name} not found` : readSigningKey(secret)
  return typeof key === 'string' ? [`spec.serviceAccountSigningKey: ${key}`] : []
}

function strategyOf({ spec }: HostedCluster, service: string) {
  return spec.services.find((each) => each.service === service)?.servicePublishingStrategy
}

function awsIsConsistent({ cluster }: ObservedHostedCluster): readonly string[] {
  const { type, aws } = cluster.spec.platform
  if (type !== 'AWS') return []
  if (aws === undefined) return ['spec.platform.aws must be set for platform AWS']
  const problems = ['Konnectivity', 'OAuthServer', 'Ignition'].flatMap((service) => {
    const strategy = strategyOf(cluster, service)
    if (strategy === undefined) return [`spec.services: ${service} is missing`]
    return strategy.type === 'Route' ? [] : [`spec.services: ${service} is published by ${strategy.type} and must be by Route`]
  })
  return [...problems, ...awsApiServerProblems(cluster, aws.endpointAccess ?? 'Public')]
}

function awsApiServerProblems(cluster: HostedCluster, access: string): readonly string[] {
  const strategy = strategyOf(cluster, 'APIServer')
  if (strategy === undefined) return ['spec.services: APIServer is missing']
  if (strategy.type === 'Route')
    return strategy.route?.hostname ? [] : ['spec.services: APIServer is published by a Route, which needs a hostname']
  if (strategy.type === 'LoadBalancer') return []
  const choice = access === 'Private' ? 'Route or LoadBalancer' : 'LoadBalancer, or by a Route with a hostname'
  return [`spec.services: APIServer is published by ${strategy.type} and must be by ${choice}`]
}

const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

function kubevirtIsReachable({ cluster, kubevirtProblem }: ObservedHostedCluster): readonly string[] {
  if (cluster.spec.platform.type !== 'KubeVirt' || kubevirtProblem === undefined) return []
  return truths.has(cluster.metadata.annotations?.[Annotation.allowUnsupportedKubevirt] ?? '') ? [] : [kubevirtProblem]
}

function agentsHaveNamespace({ cluster, objects }: ObservedHostedCluster): readonly string[] {
  const { type, agent } = cluster.spec.platform
  if (type !== 'Agent') return []
  if (agent === undefined) return ['spec.platform.agent must be set for platform Agent']
  const isThere = objects.find(Namespace, { name: agent.agentNamespace }) !== undefined
  return isThere ? [] : [`spec.platform.agent.agentNamespace: Namespace ${agent.agentNamespace} not found`]
}

function azureIsThere({ cluster }: ObservedHostedCluster): readonly string[] {
  const { type, azure } = cluster.spec.platform
  return type === 'Azure' && azure === undefined ? ['spec.platform.azure must be set for platform Azure'] : []
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function clusterIdIsUuid({ cluster }: ObservedHostedCluster): readonly string[] {
  const { clusterID = '' } = cluster.spec
  return clusterID === '' || uuid.test(clusterID) ? [] : [`spec.clusterID: "${clusterID}" is no UUID`]
}

function hostnamesDiffer({ cluster }: ObservedHostedCluster): readonly string[] {
  const owners = new Map<string, string>()
  const problems: string[] = []
  for (const { service, servicePublishingStrategy } of cluster.spec.services) {
    const { type, route, loadBalancer } = servicePublishingStrategy
    const hostname = type === 'Route' ? route?.hostname : type === 'LoadBalancer' ? loadBalancer?.hostname : undefined
    if (!hostname) continue
    const other = owners.get(hostname)
    if (other === undefined) owners.set(hostname, service)
    else problems.push(`spec.services: ${other} and ${service} have the same hostname ${hostname}`)
  }
  return problems
}

function trustBundlesAreThere({ cluster, objects }: ObservedHostedCluster): readonly string[] {
  const { namespace = '' } = cluster.metadata
  const { additionalTrustBundle, configuration } = cluster.spec
  const bundles = [
    { field: 'spec.additionalTrustBundle', name: additionalTrustBundle?.name },
    { field: 'spec.configuration.proxy.trustedCA', name: configuration?.proxy?.trustedCA?.name },
  ]
  return bundles.flatMap(({ field, name }) => {
    if (!name) return []
    const bundle = objects.find(ConfigMap, { namespace, name })
    if (bundle === undefined) return [`${field}: ConfigMap ${namespace}/${name} not found`]
    return bundle.data?.['ca-bundle.crt'] === undefined ? [`${field}: ConfigMap ${namespace}/${name} must have a ca-bundle.crt key`] : []
  })
}

function namespaceIsFree({ cluster, objects }: ObservedHostedCluster): readonly string[] {
  const other = otherTenantOf(cluster, objects)
  if (other === undefined) return []
  const namespace = controlPlaneNamespaceOf(cluster)
  return [`the namespace ${namespace} of its control plane belongs to HostedCluster ${other}; create this cluster under another name`]
}

function imageOverridesAreReadable({ cluster }: ObservedHostedCluster): readonly string[] {
  const { problem } = imageOverridesOf(cluster)
  return problem === undefined ? [] : [problem]
}
