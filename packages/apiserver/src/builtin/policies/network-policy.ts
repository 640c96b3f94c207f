import { type FieldError, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { ageColumn, column, selectorText } from '../columns.ts'
import { labelSelectorErrors, oneOfIfSet, portNumberOrName, protocols } from '../checks.ts'
import { cidrErrors } from '../core/addresses.ts'
import { networkPolicySpec } from '../fields/networking.ts'
import { defineKind } from '../kind.ts'
import { change, changeItems, fill, isAbsent, itemsIn, numberIn, objectIn, objectsIn, put, specOf, textIn, textsIn } from '../tree.ts'

export const networkPolicy = defineKind({
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  shortNames: ['netpol'],
  fields: { spec: networkPolicySpec },
  columns: [column('Pod-Selector', 'Which Pods it protects.', (object) => selectorText(specOf(object).podSelector)), ageColumn],
  defaults: (object) => change(object, 'spec', complete),
  behaviour: { hasGeneration: true, validate: (object) => specErrors(specOf(object)) },
})

function complete(spec: JsonObject): JsonObject {
  const directed = ['ingress', 'egress'].reduce(
    (each, direction) => changeItems(each, direction, (rule) => changeItems(rule, 'ports', (port) => fill(port, { protocol: 'TCP' }))),
    spec,
  )
  if (itemsIn(spec.policyTypes).length > 0) return directed
  return put(directed, 'policyTypes', itemsIn(spec.egress).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'])
}

function specErrors(spec: JsonObject): readonly FieldError[] {
  const types = textsIn(spec.policyTypes)
  return [
    ...labelSelectorErrors(spec.podSelector, 'spec.podSelector'),
    ...objectsIn(spec.ingress).flatMap((rule, index) => ruleErrors(rule, 'from', `spec.ingress[${index}]`)),
    ...objectsIn(spec.egress).flatMap((rule, index) => ruleErrors(rule, 'to', `spec.egress[${index}]`)),
    ...(types.length > 2 ? [invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')] : []),
    ...types.flatMap((type, index) =>
      type === 'Ingress' || type === 'Egress' ? [] : [notSupported(`spec.policyTypes[${index}]`, type, ['Egress', 'Ingress'])],
    ),
  ]
}

function ruleErrors(rule: JsonObject, peers: 'from' | 'to', field: string): readonly FieldError[] {
  return [
    ...objectsIn(rule.ports).flatMap((port, index) => portErrors(port, `${field}.ports[${index}]`)),
    ...objectsIn(rule[peers]).flatMap((peer, index) => peerErrors(peer, `${field}.${peers}[${index}]`)),
  ]
}

function portErrors({ protocol, port, endPort }: JsonObject, field: string): readonly FieldError[] {
  const range: FieldError[] = []
  if (!isAbsent(endPort)) {
    if (isAbsent(port)) range.push(required(`${field}.port`, 'must be specified if `endPort` is specified'))
    else if (typeof port === 'string') range.push(forbidden(`${field}.endPort`, 'may not be specified when `port` is non-numeric'))
    else if (numberIn(endPort) < numberIn(port)) range.push(invalid(`${field}.endPort`, endPort, 'must be greater than or equal to `port`'))
  }
  return [
    ...oneOfIfSet(protocol, `${field}.protocol`, protocols),
    ...(isAbsent(port) ? [] : portNumberOrName(port, `${field}.port`)),
    ...range,
  ]
}

function peerErrors(peer: JsonObject, field: string): readonly FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer
  const count = [podSelector, namespaceSelector, ipBlock].filter((each) => !isAbsent(each)).length
  const block = objectIn(ipBlock)
  return [
    ...labelSelectorErrors(podSelector, `${field}.podSelector`),
    ...labelSelectorErrors(namespaceSelector, `${field}.namespaceSelector`),
    ...(isAbsent(ipBlock) ? [] : blockErrors(block, `${field}.ipBlock`)),
    ...(count === 0 ? [required(field, 'must specify a peer')] : []),
    ...(count > 1 && !isAbsent(ipBlock) ? [forbidden(field, 'may not specify both ipBlock and another peer')] : []),
  ]
}

function blockErrors(block: JsonObject, field: string): readonly FieldError[] {
  const cidr = textIn(block.cidr)
  if (cidr === '') return [required(`${field}.cidr`)]
  return [
    ...cidrErrors(cidr, `${field}.cidr`),
    ...textsIn(block.except).flatMap((each, index) => cidrErrors(each, `${field}.except[${index}]`)),
  ]
}
