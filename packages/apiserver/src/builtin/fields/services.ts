import {
  always,
  at,
  atomicMap,
  atomicStruct,
  boolean,
  defaulted,
  int32,
  intOrString,
  list,
  listBy,
  pointer,
  string,
  struct,
} from '../dsl/index.ts'
import { condition } from './meta.ts'
import { objectReference } from './references.ts'

/** Services and the addresses behind them. */

export const servicePort = struct({
  name: string,
  protocol: defaulted('TCP', string),
  port: always(int32),
  targetPort: intOrString,
  nodePort: int32,
  appProtocol: pointer(string),
})

export const clientIPConfig = struct({
  timeoutSeconds: pointer(int32),
})

export const sessionAffinityConfig = struct({
  clientIP: pointer(clientIPConfig),
})

export const serviceSpec = struct({
  ports: list(servicePort, { keys: ['port', 'protocol'], merge: 'port' }),
  selector: atomicMap(string),
  clusterIP: string,
  type: string,
  externalIPs: list(string),
  sessionAffinity: at(7, string),
  loadBalancerIP: string,
  loadBalancerSourceRanges: list(string),
  externalName: string,
  externalTrafficPolicy: string,
  healthCheckNodePort: int32,
  publishNotReadyAddresses: boolean,
  sessionAffinityConfig: pointer(sessionAffinityConfig),
  ipFamilyPolicy: at(17, pointer(string)),
  clusterIPs: list(string),
  ipFamilies: list(string),
  allocateLoadBalancerNodePorts: pointer(boolean),
  loadBalancerClass: pointer(string),
  internalTrafficPolicy: pointer(string),
  trafficDistribution: pointer(string),
})

export const portStatus = struct({
  port: always(int32),
  protocol: always(string),
  error: pointer(string),
})

export const loadBalancerIngress = struct({
  ip: string,
  hostname: string,
  ipMode: pointer(string),
  ports: list(portStatus),
})

export const loadBalancerStatus = struct({
  ingress: list(loadBalancerIngress),
})

export const serviceStatus = struct({
  loadBalancer: loadBalancerStatus,
  conditions: listBy('type', condition),
})

export const endpointAddress = atomicStruct({
  ip: always(string),
  targetRef: pointer(objectReference),
  hostname: string,
  nodeName: pointer(string),
})

export const endpointPort = atomicStruct({
  name: string,
  port: always(int32),
  protocol: string,
  appProtocol: pointer(string),
})

export const endpointSubset = struct({
  addresses: list(endpointAddress),
  notReadyAddresses: list(endpointAddress),
  ports: list(endpointPort),
})
