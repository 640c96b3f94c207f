import { operandImages } from './operands.ts'
import { registry } from './registry.ts'

const providers = ['agent', 'aws', 'azure', 'gcp', 'ibmcloud', 'kubevirt', 'openstack'].map((name) => `${name}-cluster-api-controllers`)

/**
 * Every image that some component asks some payload for, sorted: what a release needs that is made up for a rehearsal. Some of them are no part of
 * OpenShift's own payloads and come from the operator: `controlplane-operator`, `token-minter`.
 */
export const payloadImages: readonly string[] = [
  ...new Set([
    ...registry.components.flatMap(({ images, initImages }) => [...Object.values(images), ...Object.values(initImages)]),
    ...operandImages,
    ...providers,
  ]),
]
  .filter((name) => name !== 'capi-provider' && !name.includes(':'))
  .toSorted()
