import type { JsonObject } from '../../json.ts'
import type { WriteContext } from '../../registry/resource.ts'
import { ageColumn, column, labelsText, wide } from '../columns.ts'
import { serviceSpec, serviceStatus } from '../fields/services.ts'
import { defineKind } from '../kind.ts'
import { change, changeItems, fill, isAbsent, numberIn, objectIn, objectsIn, put, specOf, statusOf, textIn, textsIn } from '../tree.ts'
import { allocate, keepAllocated } from './service-addresses.ts'
import { serviceErrors } from './service-checks.ts'

export const service = defineKind({
  group: '',
  kind: 'Service',
  resource: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  fields: { spec: serviceSpec, status: serviceStatus },
  hasStatus: true,
  columns: [
    column('Type', 'How the service is exposed.', (object) => textIn(specOf(object).type)),
    column('Cluster-IP', 'Its address inside the cluster.', (object) => textsIn(specOf(object).clusterIPs)[0] ?? '<none>'),
    column('External-IP', 'Its addresses outside the cluster.', externalAddress),
    column('Port(s)', 'The ports it listens on.', (object) => objectsIn(specOf(object).ports).map(portText).join(',') || '<none>'),
    ageColumn,
    wide('Selector', 'Which Pods are behind it.', (object) => labelsText(specOf(object).selector)),
  ],
  defaults: (object) => change(object, 'spec', completeSpec),
  behaviour: {
    names: 'service',
    allowsCreateOnUpdate: true,
    deleteAnswersObject: true,
    prepareForCreate: (object, context) =>
      put(
        change(object, 'spec', (spec) => allocate(spec, context.random)),
        'status',
        emptyStatus,
      ),
    prepareForUpdate,
    validate: (object, old, { subresource }) =>
      subresource === 'status' ? [] : serviceErrors(specOf(object), old === undefined ? undefined : specOf(old)),
  },
})

const emptyStatus: JsonObject = { loadBalancer: {} }

function completeSpec(spec: JsonObject): JsonObject {
  const type = textIn(spec.type) || 'ClusterIP'
  const isReachable = type === 'NodePort' || type === 'LoadBalancer'
  const hasExternal = textsIn(spec.externalIPs).length > 0
  const known = fill(changeItems(spec, 'ports', completePort), {
    type,
    sessionAffinity: 'None',
    ...(isReachable || (type === 'ClusterIP' && hasExternal) ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...(isReachable || type === 'ClusterIP' ? { internalTrafficPolicy: 'Cluster' } : {}),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
  })
  return affinityConfig(known)
}

function completePort(port: JsonObject): JsonObject {
  const { targetPort } = port
  return targetPort === 0 || targetPort === '' || isAbsent(targetPort) ? put(port, 'targetPort', numberIn(port.port)) : port
}

function affinityConfig(spec: JsonObject): JsonObject {
  if (spec.sessionAffinity === 'None') return put(spec, 'sessionAffinityConfig', undefined)
  const clientIP = objectIn(objectIn(spec.sessionAffinityConfig).clientIP)
  if (spec.sessionAffinity !== 'ClientIP' || !isAbsent(clientIP.timeoutSeconds)) return spec
  return put(spec, 'sessionAffinityConfig', { clientIP: { timeoutSeconds: 10_800 } })
}

function prepareForUpdate(object: JsonObject, old: JsonObject, { subresource, random }: WriteContext): JsonObject {
  if (subresource === 'status') return put(object, 'spec', old.spec)
  const kept = change(object, 'spec', (spec) => allocate(keepAllocated(spec, specOf(old)), random))
  return put(kept, 'status', old.status)
}

function portText({ port, nodePort, protocol }: JsonObject): string {
  const node = numberIn(nodePort)
  return `${numberIn(port)}${node > 0 ? `:${node}` : ''}/${textIn(protocol)}`
}

function externalAddress(object: JsonObject): string {
  const spec = specOf(object)
  const type = textIn(spec.type)
  if (type === 'ExternalName') return textIn(spec.externalName)
  const own = textsIn(spec.externalIPs)
  if (type !== 'LoadBalancer') return own.join(',') || '<none>'
  const ingress = objectsIn(objectIn(statusOf(object).loadBalancer).ingress).map(({ ip, hostname }) => textIn(ip) || textIn(hostname))
  return [...ingress.filter((text) => text !== ''), ...own].join(',') || '<pending>'
}
