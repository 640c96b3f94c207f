import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts'
import { equalJson, type JsonObject } from '../../json.ts'
import { ageColumn, column } from '../columns.ts'
import { dnsLabel, portNumber, protocols } from '../checks.ts'
import { list } from '../dsl/index.ts'
import { endpointSubset } from '../fields/services.ts'
import { defineKind } from '../kind.ts'
import { changeItems, fill, itemsIn, numberIn, objectsIn, textIn } from '../tree.ts'
import { addressErrors, isAddress, specialAddressProblem } from './addresses.ts'

export const endpoints = defineKind({
  group: '',
  kind: 'Endpoints',
  resource: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  fields: { subsets: list(endpointSubset) },
  deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  columns: [column('Endpoints', 'Addresses and ports that answer.', (object) => addressList(objectsIn(object.subsets))), ageColumn],
  defaults: (object) => changeItems(object, 'subsets', (subset) => changeItems(subset, 'ports', (port) => fill(port, { protocol: 'TCP' }))),
  behaviour: {
    allowsCreateOnUpdate: true,
    validate: (object, old) =>
      old !== undefined && equalJson(object.subsets, old.subsets) ? [] : objectsIn(object.subsets).flatMap(subsetErrors),
  },
})

const mostShown = 3

function addressList(subsets: readonly JsonObject[]): string {
  const all = subsets.flatMap(({ addresses, ports }) => {
    const ips = objectsIn(addresses).map(({ ip }) => textIn(ip))
    if (itemsIn(ports).length === 0) return ips
    return objectsIn(ports).flatMap(({ port }) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${numberIn(port)}`))
  })
  if (subsets.length === 0) return '<none>'
  const shown = all.slice(0, mostShown).join(',')
  return all.length > mostShown ? `${shown} + ${all.length - mostShown} more...` : shown
}

function subsetErrors(subset: JsonObject, index: number): readonly FieldError[] {
  const field = `subsets[${index}]`
  const [ready, notReady, ports] = [objectsIn(subset.addresses), objectsIn(subset.notReadyAddresses), objectsIn(subset.ports)]
  return [
    ...(ready.length + notReady.length === 0 ? [required(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...ready.flatMap((address, at) => endpointErrors(address, `${field}.addresses[${at}]`)),
    ...notReady.flatMap((address, at) => endpointErrors(address, `${field}.notReadyAddresses[${at}]`)),
    ...ports.flatMap((port, at) => portErrors(port, ports.length > 1, `${field}.ports[${at}]`)),
  ]
}

function endpointErrors({ ip, hostname }: JsonObject, field: string): readonly FieldError[] {
  const text = textIn(ip)
  const problem = isAddress(text) ? specialAddressProblem(text) : 'must be a valid IP address'
  return [
    ...addressErrors(text, `${field}.ip`),
    ...(textIn(hostname) === '' ? [] : dnsLabel(textIn(hostname), `${field}.hostname`)),
    ...(problem === undefined ? [] : [invalid(`${field}.ip`, text, problem)]),
  ]
}

function portErrors(port: JsonObject, needsName: boolean, field: string): readonly FieldError[] {
  const name = textIn(port.name)
  const protocol = textIn(port.protocol)
  const nameErrors = name === '' ? (needsName ? [required(`${field}.name`)] : []) : dnsLabel(name, `${field}.name`)
  const protocolErrors = protocols.includes(protocol) ? [] : [notSupported(`${field}.protocol`, protocol, protocols)]
  return [...nameErrors, ...portNumber(port.port, `${field}.port`), ...protocolErrors]
}
