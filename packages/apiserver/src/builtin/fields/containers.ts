import {
  always,
  boolean,
  defaulted,
  int32,
  int64,
  intOrString,
  list,
  listBy,
  map,
  pointer,
  quantity,
  string,
  struct,
} from '../dsl/index.ts'
import { configMapKeySelector, localObjectReference, objectFieldSelector, resourceFieldSelector, secretKeySelector } from './references.ts'

/** One container of a Pod: image, environment, probes, resources, security. */

export const containerPort = struct({
  name: string,
  hostPort: int32,
  containerPort: always(int32),
  protocol: defaulted('TCP', string),
  hostIP: string,
})

export const envVarSource = struct({
  fieldRef: pointer(objectFieldSelector),
  resourceFieldRef: pointer(resourceFieldSelector),
  configMapKeyRef: pointer(configMapKeySelector),
  secretKeyRef: pointer(secretKeySelector),
})

export const envVar = struct({
  name: always(string),
  value: string,
  valueFrom: pointer(envVarSource),
})

export const resourceClaim = struct({
  name: always(string),
  request: string,
})

export const resourceRequirements = struct({
  limits: map(quantity),
  requests: map(quantity),
  claims: list(resourceClaim, { keys: ['name'] }),
})

export const volumeMount = struct({
  name: always(string),
  readOnly: boolean,
  mountPath: always(string),
  subPath: string,
  mountPropagation: pointer(string),
  subPathExpr: string,
  recursiveReadOnly: pointer(string),
})

export const execAction = struct({
  command: list(string),
})

export const httpHeader = struct({
  name: always(string),
  value: always(string),
})

export const httpGetAction = struct({
  path: string,
  port: intOrString,
  host: string,
  scheme: string,
  httpHeaders: list(httpHeader),
})

export const tcpSocketAction = struct({
  port: intOrString,
  host: string,
})

export const grpcAction = struct({
  port: always(int32),
  service: defaulted('', always(pointer(string))),
})

export const probeHandler = struct({
  exec: pointer(execAction),
  httpGet: pointer(httpGetAction),
  tcpSocket: pointer(tcpSocketAction),
  grpc: pointer(grpcAction),
})

export const probe = struct({
  '...probeHandler': probeHandler,
  initialDelaySeconds: int32,
  timeoutSeconds: int32,
  periodSeconds: int32,
  successThreshold: int32,
  failureThreshold: int32,
  terminationGracePeriodSeconds: pointer(int64),
})

export const sleepAction = struct({
  seconds: always(int64),
})

export const lifecycleHandler = struct({
  exec: pointer(execAction),
  httpGet: pointer(httpGetAction),
  tcpSocket: pointer(tcpSocketAction),
  sleep: pointer(sleepAction),
})

export const lifecycle = struct({
  postStart: pointer(lifecycleHandler),
  preStop: pointer(lifecycleHandler),
  stopSignal: pointer(string),
})

export const capabilities = struct({
  add: list(string),
  drop: list(string),
})

export const seLinuxOptions = struct({
  user: string,
  role: string,
  type: string,
  level: string,
})

export const windowsSecurityContextOptions = struct({
  gmsaCredentialSpecName: pointer(string),
  gmsaCredentialSpec: pointer(string),
  runAsUserName: pointer(string),
  hostProcess: pointer(boolean),
})

export const seccompProfile = struct({
  type: always(string),
  localhostProfile: pointer(string),
})

export const appArmorProfile = struct({
  type: always(string),
  localhostProfile: pointer(string),
})

export const securityContext = struct({
  capabilities: pointer(capabilities),
  privileged: pointer(boolean),
  seLinuxOptions: pointer(seLinuxOptions),
  runAsUser: pointer(int64),
  runAsNonRoot: pointer(boolean),
  readOnlyRootFilesystem: pointer(boolean),
  allowPrivilegeEscalation: pointer(boolean),
  runAsGroup: pointer(int64),
  procMount: pointer(string),
  windowsOptions: pointer(windowsSecurityContextOptions),
  seccompProfile: pointer(seccompProfile),
  appArmorProfile: pointer(appArmorProfile),
})

export const configMapEnvSource = struct({
  '...localObjectReference': localObjectReference,
  optional: pointer(boolean),
})

export const secretEnvSource = struct({
  '...localObjectReference': localObjectReference,
  optional: pointer(boolean),
})

export const envFromSource = struct({
  prefix: string,
  configMapRef: pointer(configMapEnvSource),
  secretRef: pointer(secretEnvSource),
})

export const volumeDevice = struct({
  name: always(string),
  devicePath: always(string),
})

export const containerResizePolicy = struct({
  resourceName: always(string),
  restartPolicy: always(string),
})

export const container = struct({
  name: always(string),
  image: string,
  command: list(string),
  args: list(string),
  workingDir: string,
  ports: list(containerPort, { keys: ['containerPort', 'protocol'], merge: 'containerPort' }),
  env: listBy('name', envVar),
  resources: resourceRequirements,
  volumeMounts: listBy('mountPath', volumeMount),
  livenessProbe: pointer(probe),
  readinessProbe: pointer(probe),
  lifecycle: pointer(lifecycle),
  terminationMessagePath: string,
  imagePullPolicy: string,
  securityContext: pointer(securityContext),
  stdin: boolean,
  stdinOnce: boolean,
  tty: boolean,
  envFrom: list(envFromSource),
  terminationMessagePolicy: string,
  volumeDevices: listBy('devicePath', volumeDevice),
  startupProbe: pointer(probe),
  resizePolicy: list(containerResizePolicy),
  restartPolicy: pointer(string),
})

export const ephemeralContainerCommon = struct({
  name: always(string),
  image: string,
  command: list(string),
  args: list(string),
  workingDir: string,
  ports: list(containerPort, { keys: ['containerPort', 'protocol'], merge: 'containerPort' }),
  env: listBy('name', envVar),
  resources: resourceRequirements,
  volumeMounts: listBy('mountPath', volumeMount),
  livenessProbe: pointer(probe),
  readinessProbe: pointer(probe),
  lifecycle: pointer(lifecycle),
  terminationMessagePath: string,
  imagePullPolicy: string,
  securityContext: pointer(securityContext),
  stdin: boolean,
  stdinOnce: boolean,
  tty: boolean,
  envFrom: list(envFromSource),
  terminationMessagePolicy: string,
  volumeDevices: listBy('devicePath', volumeDevice),
  startupProbe: pointer(probe),
  resizePolicy: list(containerResizePolicy),
  restartPolicy: pointer(string),
})

export const ephemeralContainer = struct({
  '...ephemeralContainerCommon': ephemeralContainerCommon,
  targetContainerName: string,
})
