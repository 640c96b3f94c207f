import { choice, immutable, object, openObject, optional, rule, text } from '../schema/index.ts'
import { awsPlatform } from './platform-aws.ts'
import { kubevirtPlatform } from './platform-kubevirt.ts'

/** The platforms that every build knows; OpenStack and GCP are behind feature gates. */
export const platformTypes = ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'Agent', 'PowerVS', 'None'] as const

export const platformType = choice('Where the machines come from.', platformTypes, { maxLength: 100, rules: [immutable('Type')] })

/** Azure is kept as it is, but for what the rules of the whole object look at. */
const azurePlatform = openObject(
  'For Azure.',
  {
    azureAuthenticationConfig: openObject('How the parts of the cluster are let in.', {
      azureAuthenticationConfigType: choice('By managed or by workload identities.', ['ManagedIdentities', 'WorkloadIdentities']),
      workloadIdentities: optional(
        openObject('For WorkloadIdentities.', {
          controlPlaneOperator: optional(openObject('The identity of the control plane operator.', {})),
        }),
      ),
    }),
    topology: optional(choice('From where the API is reached.', ['Public', 'PublicAndPrivate', 'Private'])),
    private: optional(openObject('For a private API.', { type: choice('The technique.', ['PrivateLink', 'Swift']) })),
  },
  {
    rules: [
      rule('has(self.private) == has(oldSelf.private)', 'private cannot be added or removed after cluster creation'),
      rule('has(self.topology) || !has(oldSelf.topology)', 'topology cannot be removed once set'),
      rule(
        "!has(self.topology) || !has(oldSelf.topology) || (self.topology == 'Public') == (oldSelf.topology == 'Public')",
        'transitions between Public and non-Public topology are not supported',
      ),
      rule(
        "has(self.private) == (has(self.topology) && self.topology in ['Private', 'PublicAndPrivate'])",
        'private is required when topology is Private or PublicAndPrivate, and forbidden otherwise',
      ),
      rule(
        "!has(self.private) || self.private.type != 'PrivateLink' || self.azureAuthenticationConfig.azureAuthenticationConfigType != 'WorkloadIdentities' || (has(self.azureAuthenticationConfig.workloadIdentities) && has(self.azureAuthenticationConfig.workloadIdentities.controlPlaneOperator))",
        'workloadIdentities.controlPlaneOperator is required when Private Link is configured with WorkloadIdentities authentication',
      ),
    ],
  },
)

/** Where a hosted cluster's machines come from: a type, and one member for it. */
export const platform = object('Where the machines come from.', {
  type: platformType,
  aws: optional(awsPlatform),
  azure: optional(azurePlatform),
  ibmcloud: optional(openObject('For IBM Cloud.', { providerType: optional(text('Who provides the infrastructure.')) })),
  kubevirt: optional(kubevirtPlatform),
  agent: optional(object('For Agent.', { agentNamespace: text('The namespace that holds the Agents.', { maxLength: 63 }) })),
  powervs: optional(openObject('For Power Virtual Server.', {})),
})
