import { rule } from '../schema/index.ts'

const publishes = (service: string, ...types: string[]): string =>
  `self.services.exists(s, s.service == '${service}' && s.servicePublishingStrategy.type in [${types.map((type) => `'${type}'`).join(', ')}])`

const isAzure = "self.platform.type == 'Azure'"
const usesWorkloadIdentities =
  "has(self.platform.azure) && self.platform.azure.azureAuthenticationConfig.azureAuthenticationConfigType == 'WorkloadIdentities'"

/** A service of Azure that nodes must reach through the router. */
const routedOnAzure = (service: string) =>
  rule(`!(${isAzure}) || ${publishes(service, 'Route')}`, `Azure platform requires ${service} to use Route service publishing strategy`)

/** Rules over several fields of a HostedCluster that a HostedControlPlane does not repeat. */
export const hostedClusterRules = [
  rule(
    "self.platform.type == 'IBMCloud' || self.services == oldSelf.services",
    'Services is immutable. Changes might result in unpredictable and disruptive behavior.',
  ),
  rule(
    `!(${isAzure}) || (${usesWorkloadIdentities}) || ${publishes('OAuthServer', 'Route')}`,
    'Azure managed platform (ARO HCP) requires OAuthServer to use Route',
  ),
  rule(
    `!(${isAzure}) || !(${usesWorkloadIdentities}) || ${publishes('OAuthServer', 'Route', 'LoadBalancer')}`,
    'Self-managed Azure requires OAuthServer to use Route or LoadBalancer',
  ),
  routedOnAzure('Konnectivity'),
  routedOnAzure('Ignition'),
  rule('!has(self.serviceAccountSigningKey) || has(self.issuerURL)', 'If serviceAccountSigningKey is set, issuerURL must be set'),
  rule(
    [
      '!has(self.configuration)',
      '!has(self.configuration.apiServer)',
      '!has(self.configuration.apiServer.servingCerts)',
      '!has(self.configuration.apiServer.servingCerts.namedCertificates)',
      "!self.services.exists(s, s.service == 'APIServer' && has(s.servicePublishingStrategy.loadBalancer) && has(s.servicePublishingStrategy.loadBalancer.hostname) && self.configuration.apiServer.servingCerts.namedCertificates.exists(certificate, has(certificate.names) && s.servicePublishingStrategy.loadBalancer.hostname in certificate.names))",
    ].join(' || '),
    'APIServer loadBalancer hostname cannot be in ClusterConfiguration.apiserver.servingCerts.namedCertificates[]',
  ),
  rule(
    [
      '!has(self.operatorConfiguration)',
      '!has(self.operatorConfiguration.clusterNetworkOperator)',
      '!has(self.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig)',
      "self.networking.networkType == 'OVNKubernetes'",
    ].join(' || '),
    'ovnKubernetesConfig is forbidden when networkType is not OVNKubernetes',
  ),
]
