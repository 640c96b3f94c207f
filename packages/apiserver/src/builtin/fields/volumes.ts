import { always, at, boolean, defaulted, int32, int64, list, map, pointer, quantity, string, struct } from '../dsl/index.ts'
import { labelSelector } from './meta.ts'
import { persistentVolumeClaimTemplate } from './claims.ts'
import { localObjectReference, objectFieldSelector, resourceFieldSelector } from './references.ts'

/** Where the files of a Pod come from: one struct per source, most of them kept only so that nothing a client sends is lost. */

export const hostPathVolumeSource = struct({
  path: always(string),
  type: pointer(string),
})

export const emptyDirVolumeSource = struct({
  medium: string,
  sizeLimit: pointer(quantity),
})

export const gcePersistentDiskVolumeSource = struct({
  pdName: always(string),
  fsType: string,
  partition: int32,
  readOnly: boolean,
})

export const awsElasticBlockStoreVolumeSource = struct({
  volumeID: always(string),
  fsType: string,
  partition: int32,
  readOnly: boolean,
})

export const gitRepoVolumeSource = struct({
  repository: always(string),
  revision: string,
  directory: string,
})

export const keyToPath = struct({
  key: always(string),
  path: always(string),
  mode: pointer(int32),
})

export const secretVolumeSource = struct({
  secretName: string,
  items: list(keyToPath),
  defaultMode: pointer(int32),
  optional: pointer(boolean),
})

export const nfsVolumeSource = struct({
  server: always(string),
  path: always(string),
  readOnly: boolean,
})

export const iscsiVolumeSource = struct({
  targetPortal: always(string),
  iqn: always(string),
  lun: always(int32),
  iscsiInterface: defaulted('default', string),
  fsType: string,
  readOnly: boolean,
  portals: list(string),
  chapAuthDiscovery: boolean,
  secretRef: at(10, pointer(localObjectReference)),
  chapAuthSession: boolean,
  initiatorName: pointer(string),
})

export const glusterfsVolumeSource = struct({
  endpoints: always(string),
  path: always(string),
  readOnly: boolean,
})

export const persistentVolumeClaimVolumeSource = struct({
  claimName: always(string),
  readOnly: boolean,
})

export const rbdVolumeSource = struct({
  monitors: always(list(string)),
  image: always(string),
  fsType: string,
  pool: defaulted('rbd', string),
  user: defaulted('admin', string),
  keyring: defaulted('/etc/ceph/keyring', string),
  secretRef: pointer(localObjectReference),
  readOnly: boolean,
})

export const flexVolumeSource = struct({
  driver: always(string),
  fsType: string,
  secretRef: pointer(localObjectReference),
  readOnly: boolean,
  options: map(string),
})

export const cinderVolumeSource = struct({
  volumeID: always(string),
  fsType: string,
  readOnly: boolean,
  secretRef: pointer(localObjectReference),
})

export const cephFSVolumeSource = struct({
  monitors: always(list(string)),
  path: string,
  user: string,
  secretFile: string,
  secretRef: pointer(localObjectReference),
  readOnly: boolean,
})

export const flockerVolumeSource = struct({
  datasetName: string,
  datasetUUID: string,
})

export const downwardAPIVolumeFile = struct({
  path: always(string),
  fieldRef: pointer(objectFieldSelector),
  resourceFieldRef: pointer(resourceFieldSelector),
  mode: pointer(int32),
})

export const downwardAPIVolumeSource = struct({
  items: list(downwardAPIVolumeFile),
  defaultMode: pointer(int32),
})

export const fcVolumeSource = struct({
  targetWWNs: list(string),
  lun: pointer(int32),
  fsType: string,
  readOnly: boolean,
  wwids: list(string),
})

export const azureFileVolumeSource = struct({
  secretName: always(string),
  shareName: always(string),
  readOnly: boolean,
})

export const configMapVolumeSource = struct({
  '...localObjectReference': localObjectReference,
  items: list(keyToPath),
  defaultMode: pointer(int32),
  optional: pointer(boolean),
})

export const vsphereVirtualDiskVolumeSource = struct({
  volumePath: always(string),
  fsType: string,
  storagePolicyName: string,
  storagePolicyID: string,
})

export const quobyteVolumeSource = struct({
  registry: always(string),
  volume: always(string),
  readOnly: boolean,
  user: string,
  group: string,
  tenant: string,
})

export const azureDiskVolumeSource = struct({
  diskName: always(string),
  diskURI: always(string),
  cachingMode: pointer(string),
  fsType: defaulted('ext4', pointer(string)),
  readOnly: pointer(boolean),
  kind: pointer(string),
})

export const photonPersistentDiskVolumeSource = struct({
  pdID: always(string),
  fsType: string,
})

export const portworxVolumeSource = struct({
  volumeID: always(string),
  fsType: string,
  readOnly: boolean,
})

export const scaleIOVolumeSource = struct({
  gateway: always(string),
  system: always(string),
  secretRef: always(pointer(localObjectReference)),
  sslEnabled: boolean,
  protectionDomain: string,
  storagePool: string,
  storageMode: defaulted('ThinProvisioned', string),
  volumeName: string,
  fsType: defaulted('xfs', string),
  readOnly: boolean,
})

export const secretProjection = struct({
  '...localObjectReference': localObjectReference,
  items: list(keyToPath),
  optional: at(4, pointer(boolean)),
})

export const downwardAPIProjection = struct({
  items: list(downwardAPIVolumeFile),
})

export const configMapProjection = struct({
  '...localObjectReference': localObjectReference,
  items: list(keyToPath),
  optional: at(4, pointer(boolean)),
})

export const serviceAccountTokenProjection = struct({
  audience: string,
  expirationSeconds: pointer(int64),
  path: always(string),
})

export const clusterTrustBundleProjection = struct({
  name: pointer(string),
  signerName: pointer(string),
  labelSelector: pointer(labelSelector),
  path: always(string),
  optional: pointer(boolean),
})

export const volumeProjection = struct({
  secret: pointer(secretProjection),
  downwardAPI: pointer(downwardAPIProjection),
  configMap: pointer(configMapProjection),
  serviceAccountToken: pointer(serviceAccountTokenProjection),
  clusterTrustBundle: pointer(clusterTrustBundleProjection),
})

export const projectedVolumeSource = struct({
  sources: always(list(volumeProjection)),
  defaultMode: pointer(int32),
})

export const storageOSVolumeSource = struct({
  volumeName: string,
  volumeNamespace: string,
  fsType: string,
  readOnly: boolean,
  secretRef: pointer(localObjectReference),
})

export const csiVolumeSource = struct({
  driver: always(string),
  readOnly: pointer(boolean),
  fsType: pointer(string),
  volumeAttributes: map(string),
  nodePublishSecretRef: pointer(localObjectReference),
})

export const ephemeralVolumeSource = struct({
  volumeClaimTemplate: pointer(persistentVolumeClaimTemplate),
})

export const imageVolumeSource = struct({
  reference: string,
  pullPolicy: string,
})

export const volumeSource = struct({
  hostPath: pointer(hostPathVolumeSource),
  emptyDir: pointer(emptyDirVolumeSource),
  gcePersistentDisk: pointer(gcePersistentDiskVolumeSource),
  awsElasticBlockStore: pointer(awsElasticBlockStoreVolumeSource),
  gitRepo: pointer(gitRepoVolumeSource),
  secret: pointer(secretVolumeSource),
  nfs: pointer(nfsVolumeSource),
  iscsi: pointer(iscsiVolumeSource),
  glusterfs: pointer(glusterfsVolumeSource),
  persistentVolumeClaim: pointer(persistentVolumeClaimVolumeSource),
  rbd: pointer(rbdVolumeSource),
  flexVolume: pointer(flexVolumeSource),
  cinder: pointer(cinderVolumeSource),
  cephfs: pointer(cephFSVolumeSource),
  flocker: pointer(flockerVolumeSource),
  downwardAPI: pointer(downwardAPIVolumeSource),
  fc: pointer(fcVolumeSource),
  azureFile: pointer(azureFileVolumeSource),
  configMap: pointer(configMapVolumeSource),
  vsphereVolume: pointer(vsphereVirtualDiskVolumeSource),
  quobyte: pointer(quobyteVolumeSource),
  azureDisk: pointer(azureDiskVolumeSource),
  photonPersistentDisk: pointer(photonPersistentDiskVolumeSource),
  portworxVolume: pointer(portworxVolumeSource),
  scaleIO: pointer(scaleIOVolumeSource),
  projected: pointer(projectedVolumeSource),
  storageos: pointer(storageOSVolumeSource),
  csi: pointer(csiVolumeSource),
  ephemeral: pointer(ephemeralVolumeSource),
  image: pointer(imageVolumeSource),
})

export const volume = struct({
  name: always(string),
  '...volumeSource': volumeSource,
})
