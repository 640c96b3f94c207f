import { AgentMachineTemplate, AWSMachineTemplate, KubevirtMachineTemplate } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'

/** What machines of a provider are made from. Each provider has its own kind; this is what they have in common. */
export interface MachineTemplate extends KubernetesObject {
  readonly spec: { readonly template: { readonly spec: object } }
  readonly status?: { readonly capacity?: Readonly<Record<string, number | string>> }
}

export type TemplateKind = Resource<MachineTemplate>

const provider = 'infrastructure.cluster.x-k8s.io'

/** The kinds of the providers that node pools can use, by platform. */
export const templateKinds: Readonly<Record<string, TemplateKind>> = {
  AWS: AWSMachineTemplate,
  Azure: kindOf('v1beta1', 'AzureMachineTemplate'),
  KubeVirt: KubevirtMachineTemplate,
  Agent: AgentMachineTemplate,
  PowerVS: kindOf('v1beta2', 'IBMPowerVSMachineTemplate'),
  OpenStack: kindOf('v1beta1', 'OpenStackMachineTemplate'),
  GCP: kindOf('v1beta1', 'GCPMachineTemplate'),
}

/** The kind that a template is of; undefined for one of a provider that is not known. */
export function kindOfTemplate({ kind, apiVersion }: MachineTemplate): TemplateKind | undefined {
  return Object.values(templateKinds).find((each) => each.kind === kind && each.apiVersion === apiVersion)
}

function kindOf(version: string, kind: string): TemplateKind {
  const apiVersion = `${provider}/${version}`
  return { group: provider, version, apiVersion, kind, plural: `${kind.toLowerCase()}s`, scope: 'Namespaced', hasStatusSubresource: false }
}
