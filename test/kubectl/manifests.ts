import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import { paths, type Body, type Scene } from './check.ts'

const folder = join(import.meta.dirname, 'manifests')

/** Files as users have them, to be named after `-f` and `-k`. */
export const files = {
  nodePool: join(folder, 'node-pool.yaml'),
  hostedCluster: join(folder, 'hosted-cluster.yaml'),
  deployment: join(folder, 'deployment.yaml'),
  widgetDefinition: join(folder, 'widget-definition.yaml'),
  kustomization: join(folder, 'kustomization'),
}

interface Manifest {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly spec: Readonly<Record<string, unknown>>
}

interface Change {
  readonly name?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly spec?: Readonly<Record<string, unknown>>
}

/** The object of a file with some fields of its own. */
function changed(file: string, { name, metadata = {}, spec = {} }: Change): Manifest {
  const manifest = load(readFileSync(file, 'utf8')) as Manifest
  return {
    ...manifest,
    metadata: { ...manifest.metadata, ...metadata, ...(name === undefined ? {} : { name }) },
    spec: { ...manifest.spec, ...spec },
  }
}

/** The same as YAML, for standard input. */
export function manifest(file: string, change: Change = {}): string {
  return dump(changed(file, change))
}

/** A NodePool that is on the server already. */
export function nodePool(scene: Scene, change: Change = {}): Promise<Body> {
  return scene.api.create(paths.nodePools(scene), changed(files.nodePool, change))
}

export function hostedCluster(scene: Scene): Promise<Body> {
  return scene.api.create(paths.hostedClusters(scene), changed(files.hostedCluster, {}))
}

export function deployment(scene: Scene, change: Change = {}): Promise<Body> {
  return scene.api.create(paths.apps(scene, 'deployments'), changed(files.deployment, change))
}

export function configMap(scene: Scene, name: string, data: Readonly<Record<string, string>> = {}, metadata: object = {}): Promise<Body> {
  return scene.api.create(paths.core(scene, 'configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data })
}

/** The part of a controller: says how a NodePool is doing. */
export function nodePoolStatus(scene: Scene, status: object, name = 'workers'): Promise<Body> {
  return scene.api.merge(`${paths.nodePools(scene)}/${name}/status`, { status })
}

/** A condition as controllers write them. */
export function condition(type: string, status: 'True' | 'False' | 'Unknown', message = ''): object {
  return { type, status, reason: 'AsExpected', message, lastTransitionTime: '2026-01-01T00:00:00Z' }
}
