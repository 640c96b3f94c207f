import { defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { labelSelector } from '../meta/index.ts'
import { object, optional, text } from '../schema/index.ts'

/** Which bare metal hosts a node pool may take. */
export const AgentMachineTemplate = defineKind({
  group: 'capi-provider.agent-install.openshift.io',
  version: 'v1beta1',
  kind: 'AgentMachineTemplate',
  plural: 'agentmachinetemplates',
  shortNames: ['agentmt'],
  categories: ['cluster-api'],
  description: 'Which bare metal hosts a node pool may take.',
  spec: object('The template.', {
    template: object('What a machine is made from.', {
      spec: object('The machine.', {
        agentLabelSelector: optional(labelSelector('Which Agents may be taken.')),
        providerID: optional(text('The name that the provider gave it.')),
      }),
    }),
  }),
})
export type AgentMachineTemplate = ObjectOf<typeof AgentMachineTemplate>
