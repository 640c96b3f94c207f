import { always, at, atomicMap, boolean, int32, int64, list, listBy, map, pointer, quantity, string, struct, time } from '../dsl/index.ts'
import { objectMeta } from './meta.ts'
import {
  appArmorProfile,
  container,
  ephemeralContainer,
  resourceRequirements,
  seLinuxOptions,
  seccompProfile,
  windowsSecurityContextOptions,
} from './containers.ts'
import { localObjectReference } from './references.ts'
import { affinity, toleration, topologySpreadConstraint } from './scheduling.ts'
import { volume } from './volumes.ts'

/** Pods: what they should be, what became of them, and templates of them. */

export const sysctl = struct({
  name: always(string),
  value: always(string),
})

export const podSecurityContext = struct({
  seLinuxOptions: pointer(seLinuxOptions),
  runAsUser: pointer(int64),
  runAsNonRoot: pointer(boolean),
  supplementalGroups: list(int64),
  fsGroup: pointer(int64),
  runAsGroup: pointer(int64),
  sysctls: list(sysctl),
  windowsOptions: pointer(windowsSecurityContextOptions),
  fsGroupChangePolicy: pointer(string),
  seccompProfile: pointer(seccompProfile),
  appArmorProfile: pointer(appArmorProfile),
  supplementalGroupsPolicy: pointer(string),
  seLinuxChangePolicy: pointer(string),
})

export const hostAlias = struct({
  ip: always(string),
  hostnames: list(string),
})

export const podDNSConfigOption = struct({
  name: string,
  value: pointer(string),
})

export const podDNSConfig = struct({
  nameservers: list(string),
  searches: list(string),
  options: list(podDNSConfigOption),
})

export const podReadinessGate = struct({
  conditionType: always(string),
})

export const podOS = struct({
  name: always(string),
})

export const podSchedulingGate = struct({
  name: always(string),
})

export const podResourceClaim = struct({
  name: always(string),
  resourceClaimName: at(3, pointer(string)),
  resourceClaimTemplateName: pointer(string),
})

export const podSpec = struct({
  volumes: list(volume, { keys: ['name'], merge: 'name', strategy: 'merge,retainKeys' }),
  containers: always(listBy('name', container)),
  restartPolicy: string,
  terminationGracePeriodSeconds: pointer(int64),
  activeDeadlineSeconds: pointer(int64),
  dnsPolicy: string,
  nodeSelector: atomicMap(string),
  serviceAccountName: string,
  serviceAccount: string,
  nodeName: string,
  hostNetwork: boolean,
  hostPID: boolean,
  hostIPC: boolean,
  securityContext: pointer(podSecurityContext),
  imagePullSecrets: listBy('name', localObjectReference),
  hostname: string,
  subdomain: string,
  affinity: pointer(affinity),
  schedulerName: string,
  initContainers: listBy('name', container),
  automountServiceAccountToken: pointer(boolean),
  tolerations: list(toleration),
  hostAliases: listBy('ip', hostAlias),
  priorityClassName: string,
  priority: pointer(int32),
  dnsConfig: pointer(podDNSConfig),
  shareProcessNamespace: pointer(boolean),
  readinessGates: list(podReadinessGate),
  runtimeClassName: pointer(string),
  enableServiceLinks: pointer(boolean),
  preemptionPolicy: pointer(string),
  overhead: map(quantity),
  topologySpreadConstraints: list(topologySpreadConstraint, { keys: ['topologyKey', 'whenUnsatisfiable'], merge: 'topologyKey' }),
  ephemeralContainers: listBy('name', ephemeralContainer),
  setHostnameAsFQDN: pointer(boolean),
  os: pointer(podOS),
  hostUsers: pointer(boolean),
  schedulingGates: listBy('name', podSchedulingGate),
  resourceClaims: list(podResourceClaim, { keys: ['name'], merge: 'name', strategy: 'merge,retainKeys' }),
  resources: pointer(resourceRequirements),
})

export const podCondition = struct({
  type: always(string),
  status: always(string),
  lastProbeTime: time,
  lastTransitionTime: time,
  reason: string,
  message: string,
  observedGeneration: int64,
})

export const containerStateWaiting = struct({
  reason: string,
  message: string,
})

export const containerStateRunning = struct({
  startedAt: time,
})

export const containerStateTerminated = struct({
  exitCode: always(int32),
  signal: int32,
  reason: string,
  message: string,
  startedAt: time,
  finishedAt: time,
  containerID: string,
})

export const containerState = struct({
  waiting: pointer(containerStateWaiting),
  running: pointer(containerStateRunning),
  terminated: pointer(containerStateTerminated),
})

export const volumeMountStatus = struct({
  name: always(string),
  mountPath: always(string),
  readOnly: boolean,
  recursiveReadOnly: pointer(string),
})

export const linuxContainerUser = struct({
  uid: always(int64),
  gid: always(int64),
  supplementalGroups: list(int64),
})

export const containerUser = struct({
  linux: pointer(linuxContainerUser),
})

export const resourceHealth = struct({
  resourceID: always(string),
  health: string,
})

export const resourceStatus = struct({
  name: always(string),
  resources: list(resourceHealth, { keys: ['resourceID'] }),
})

export const containerStatus = struct({
  name: always(string),
  state: containerState,
  lastState: containerState,
  ready: always(boolean),
  restartCount: always(int32),
  image: always(string),
  imageID: always(string),
  containerID: string,
  started: pointer(boolean),
  allocatedResources: map(quantity),
  resources: pointer(resourceRequirements),
  volumeMounts: listBy('mountPath', volumeMountStatus),
  user: pointer(containerUser),
  allocatedResourcesStatus: listBy('name', resourceStatus),
  stopSignal: pointer(string),
})

export const podIP = struct({
  ip: always(string),
})

export const podResourceClaimStatus = struct({
  name: always(string),
  resourceClaimName: pointer(string),
})

export const hostIP = struct({
  ip: always(string),
})

export const podStatus = struct({
  phase: string,
  conditions: listBy('type', podCondition),
  message: string,
  reason: string,
  hostIP: string,
  podIP: string,
  startTime: pointer(time),
  containerStatuses: list(containerStatus),
  qosClass: string,
  initContainerStatuses: list(containerStatus),
  nominatedNodeName: string,
  podIPs: listBy('ip', podIP),
  ephemeralContainerStatuses: list(containerStatus),
  resize: string,
  resourceClaimStatuses: list(podResourceClaimStatus, { keys: ['name'], merge: 'name', strategy: 'merge,retainKeys' }),
  hostIPs: list(hostIP, { merge: 'ip' }),
  observedGeneration: int64,
})

export const podTemplateSpec = struct({
  metadata: objectMeta,
  spec: podSpec,
})
