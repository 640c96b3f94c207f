import type { TObject } from 'typebox'
import { anyObject, list, map, openObject, optional, text } from '../schema/index.ts'

const templateMetadataFields = {
  labels: optional(map('Labels.', text('A value.'))),
  annotations: optional(map('Annotations.', text('A value.'))),
}

export function templateMetadata(description: string): TObject<typeof templateMetadataFields> {
  return openObject(description, templateMetadataFields)
}

const fields = {
  metadata: optional(templateMetadata('What the node is born with.')),
  providerID: optional(text('The name that the provider gave the machine; its node says the same.')),
  providerSpec: optional(openObject('What to ask the provider for.', { value: optional(anyObject('In the words of the provider.')) })),
  lifecycleHooks: optional(anyObject('Who wants to be asked before the machine is drained or removed.')),
  taints: optional(list('Taints that the node is born with.', anyObject('One taint.'))),
}

/** The machine API is OpenShift's own and older than Cluster API. We copy machines, so what we do not model must survive. */
export function machineSpec(description: string): TObject<typeof fields> {
  return openObject(description, fields)
}
