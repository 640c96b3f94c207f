import { always, at, boolean, int32, int64, list, listBy, map, pointer, quantity, string, struct, time } from '../dsl/index.ts'

/** Nodes, as the kubelet reports them. */

export const taint = struct({
  key: always(string),
  value: string,
  effect: always(string),
  timeAdded: pointer(time),
})

export const configMapNodeConfigSource = struct({
  namespace: always(string),
  name: always(string),
  uid: string,
  resourceVersion: string,
  kubeletConfigKey: always(string),
})

export const nodeConfigSource = struct({
  configMap: at(2, pointer(configMapNodeConfigSource)),
})

export const nodeSpec = struct({
  podCIDR: string,
  externalID: string,
  providerID: string,
  unschedulable: boolean,
  taints: list(taint),
  configSource: pointer(nodeConfigSource),
  podCIDRs: list(string, { set: true, strategy: 'merge' }),
})

export const nodeCondition = struct({
  type: always(string),
  status: always(string),
  lastHeartbeatTime: time,
  lastTransitionTime: time,
  reason: string,
  message: string,
})

export const nodeAddress = struct({
  type: always(string),
  address: always(string),
})

export const daemonEndpoint = struct({
  Port: always(int32),
})

export const nodeDaemonEndpoints = struct({
  kubeletEndpoint: daemonEndpoint,
})

export const nodeSwapStatus = struct({
  capacity: pointer(int64),
})

export const nodeSystemInfo = struct({
  machineID: always(string),
  systemUUID: always(string),
  bootID: always(string),
  kernelVersion: always(string),
  osImage: always(string),
  containerRuntimeVersion: always(string),
  kubeletVersion: always(string),
  kubeProxyVersion: always(string),
  operatingSystem: always(string),
  architecture: always(string),
  swap: pointer(nodeSwapStatus),
})

export const containerImage = struct({
  names: always(list(string)),
  sizeBytes: int64,
})

export const attachedVolume = struct({
  name: always(string),
  devicePath: always(string),
})

export const nodeConfigStatus = struct({
  assigned: pointer(nodeConfigSource),
  active: pointer(nodeConfigSource),
  lastKnownGood: pointer(nodeConfigSource),
  error: string,
})

export const nodeRuntimeHandlerFeatures = struct({
  recursiveReadOnlyMounts: pointer(boolean),
  userNamespaces: pointer(boolean),
})

export const nodeRuntimeHandler = struct({
  name: always(string),
  features: pointer(nodeRuntimeHandlerFeatures),
})

export const nodeFeatures = struct({
  supplementalGroupsPolicy: pointer(boolean),
})

export const nodeStatus = struct({
  capacity: map(quantity),
  allocatable: map(quantity),
  phase: string,
  conditions: listBy('type', nodeCondition),
  addresses: listBy('type', nodeAddress),
  daemonEndpoints: nodeDaemonEndpoints,
  nodeInfo: nodeSystemInfo,
  images: list(containerImage),
  volumesInUse: list(string),
  volumesAttached: list(attachedVolume),
  config: pointer(nodeConfigStatus),
  runtimeHandlers: list(nodeRuntimeHandler),
  features: pointer(nodeFeatures),
})
