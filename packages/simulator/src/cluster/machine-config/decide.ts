import { type ClusterVersion, MachineConfig, MachineConfigPool, Node } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { type Action, create, done, patch, type Plan, plan, refOf, requeueAfter, status } from '@windlass/kube'
import { complaints, injected, injectionsOf } from '../injections/index.ts'
import { contentImage } from '../payload/index.ts'
import { type Settings, takes, untilNext } from '../settings.ts'
import type { Release } from '../updates/index.ts'
import { type Order, orderFor } from '../version-operator/index.ts'
import { candidates } from './candidates.ts'
import { nodeAnnotations, renderedName, versionAnnotation } from './names.ts'
import { poolStatus } from './status.ts'

export interface Observed {
  readonly pool: MachineConfigPool
  /** Nodes of the pool, in the order of their names. */
  readonly members: readonly Node[]
  readonly clusterVersion: ClusterVersion | undefined
  readonly settings: Settings
}

/** Gives a pool the config of its release, and gives that to its nodes, as many at a time as may be away. */
export function decide({ pool, members, clusterVersion, settings }: Observed, now: Instant): Plan {
  if (pool.metadata.deletionTimestamp !== undefined) return done
  const { injections, problems } = injectionsOf('MachineConfigPool', pool)
  const order = orderFor('machine-config', clusterVersion, settings.payload)
  const render = order === undefined ? undefined : rendering(pool, order, clusterVersion?.spec.clusterID ?? '', settings)
  const isBroken = injected(injections, 'render') !== undefined
  const problem = isBroken
    ? `Failed to render configuration for pool ${pool.metadata.name ?? ''}: the machine configs cannot be merged`
    : undefined
  const told = complaints(pool, problems)
  if (render !== undefined && !isBroken && render.at <= now) return plan(...told, ...render.actions)
  const config = pool.spec.configuration?.name
  const chosen = config === undefined ? [] : candidates(pool, members, config)
  return plan(
    ...told,
    status(MachineConfigPool, pool, poolStatus(pool, members, problem, now), 'this is how its nodes are', { ifUnchanged: true }),
    ...chosen.map((node) => targeted(node, config ?? '', now)),
    requeueAfter(untilNext(now, [render?.at])),
  )
}

/** What is to be rendered, from when on it is; undefined when it has been. */
function rendering(pool: MachineConfigPool, { release, since }: Order, clusterID: string, settings: Settings) {
  const name = renderedName(pool, release)
  if (pool.spec.configuration?.name === name) return undefined
  const at = since + takes(settings, 'render', `${clusterID}/${name}`)
  const source = [{ apiVersion: MachineConfig.apiVersion, kind: MachineConfig.kind, name: `00-${pool.metadata.name ?? ''}` }]
  const actions: readonly Action[] = [
    create(MachineConfig, renderedConfig(pool, release), `it is the config of pool ${pool.metadata.name ?? ''} at ${release.version}`),
    patch(MachineConfigPool, refOf(pool), { spec: { configuration: { name, source } } }, `the cluster goes to ${release.version}`),
  ]
  return { at, actions }
}

/** A config as it is rendered for a release. */
export function renderedConfig(pool: MachineConfigPool, release: Pick<Release, 'version' | 'image'>) {
  return {
    metadata: {
      name: renderedName(pool, release),
      annotations: {
        [versionAnnotation]: release.version,
        'machineconfiguration.openshift.io/generated-by-controller-version': contentImage('machine-config-operator', release.image).slice(
          -64,
          -24,
        ),
      },
    },
    spec: { config: { ignition: { version: '3.4.0' } }, osImageURL: contentImage('rhel-coreos', release.image) },
  }
}

/** If it is still as it was: two who choose at once must not choose twice as many. */
function targeted(node: Node, config: string, now: Instant): Action {
  const annotations = { [nodeAnnotations.desiredConfig]: config, [nodeAnnotations.since]: new Date(now).toISOString() }
  return patch(Node, refOf(node), { metadata: { annotations } }, `it is its turn to get ${config}`, { ifStill: node })
}
