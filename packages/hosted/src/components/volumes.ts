import type { Container, HostedControlPlane, Volume } from '@windlass/api'
import type { Component } from './component.ts'
import type { ControlPlane } from './control-plane.ts'
import { contentsHash, hashOf } from './hash.ts'
import { settingsOf } from './settings.ts'
import { templateNamed } from './templates/index.ts'

type VolumeMount = NonNullable<Container['volumeMounts']>[number]

/** Changes too often, and those who read it notice by themselves. */
const notHashed = ['client-ca']

/** Readable by the owner and the group; ConfigMaps by all. */
const secretMode = 0o640
const configMode = 0o644

interface Mounted {
  readonly volume: Volume
  readonly mountPath: string
  readonly isReadOnly: boolean
}

/** The Secret with the kubeconfig of the guest account that a component acts as. */
export function guestKubeconfigOf(component: Component): string {
  return `${component.name}-service-account-kubeconfig`
}

function secretsOf(component: Component, hcp: HostedControlPlane): readonly Mounted[] {
  const { secrets = [], guestAccount } = templateNamed(component.template)
  const mounted = secrets.map(({ volume, secret }) => ({
    volume,
    secretName: typeof secret === 'string' ? secret : secret(hcp),
    mountPath: `/etc/kubernetes/secrets/${volume}`,
  }))
  const account =
    guestAccount === undefined
      ? []
      : [{ volume: 'service-account-kubeconfig', secretName: guestKubeconfigOf(component), mountPath: guestAccount.mountPath }]
  return [...mounted, ...account].map(({ volume, secretName, mountPath }) => ({
    volume: { name: volume, secret: { secretName, defaultMode: secretMode } },
    mountPath,
    isReadOnly: true,
  }))
}

function configMapsOf(component: Component): readonly Mounted[] {
  const { configMaps = [], settings } = templateNamed(component.template)
  return [...configMaps, ...(settings === undefined ? [] : [settings.configMap])].map((name) => ({
    volume: { name, configMap: { name, defaultMode: configMode } },
    mountPath: `/etc/kubernetes/config/${name}`,
    isReadOnly: true,
  }))
}

/** Root file systems are read-only: what a process wants to write goes here. */
function scratchOf(component: Component): readonly Mounted[] {
  const { scratch = [] } = templateNamed(component.template)
  const named = scratch.map((name) => ({ volume: { name, emptyDir: {} }, mountPath: `/var/run/${name}`, isReadOnly: false }))
  return [...named, { volume: { name: 'tmp-dir', emptyDir: {} }, mountPath: '/tmp', isReadOnly: false }]
}

export function volumesOf(component: Component, hcp: HostedControlPlane): readonly Volume[] {
  return [...secretsOf(component, hcp), ...configMapsOf(component), ...scratchOf(component)].map(({ volume }) => volume)
}

/** The main container sees everything, its companions only what they share with it. */
export function mountsOf(component: Component, hcp: HostedControlPlane, isMain: boolean): readonly VolumeMount[] {
  const { storage } = templateNamed(component.template)
  const shared = scratchOf(component)
  const mounted = isMain ? [...secretsOf(component, hcp), ...configMapsOf(component), ...shared] : shared
  const mounts = mounted.map(({ volume: { name }, mountPath, isReadOnly }) => ({
    name,
    mountPath,
    ...(isReadOnly ? { readOnly: true } : {}),
  }))
  return isMain && storage !== undefined ? [...mounts, { name: storage.volume, mountPath: storage.mountPath }] : mounts
}

/** Fingerprints of what is mounted and not made by the component itself; undefined for what is not there. */
export function mountedHashes(component: Component, { hcp, facts }: ControlPlane): Readonly<Record<string, string | undefined>> {
  const { secrets = [], configMaps = [], guestAccount } = templateNamed(component.template)
  const hashes: Record<string, string | undefined> = {}
  for (const { secret } of secrets) {
    const name = typeof secret === 'string' ? secret : secret(hcp)
    hashes[`Secret/${name}`] = facts.secrets.get(name)
  }
  if (guestAccount !== undefined) {
    const name = guestKubeconfigOf(component)
    hashes[`Secret/${name}`] = facts.secrets.get(name)
  }
  for (const name of configMaps) if (!notHashed.includes(name)) hashes[`ConfigMap/${name}`] = facts.configMaps.get(name)
  return hashes
}

/**
 * Changes when something that is mounted does, and with it the pod template: components do not read their configuration again by themselves.
 *
 * The settings that this very pass writes count as written; else the component would roll out twice.
 */
export function configHashOf(component: Component, controlPlane: ControlPlane): string {
  const { settings } = templateNamed(component.template)
  const written = settings === undefined ? undefined : contentsHash({ data: settingsOf(settings, controlPlane.hcp) })
  return hashOf({ ...mountedHashes(component, controlPlane), settings: written })
}
