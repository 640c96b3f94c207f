import { NodePool, toCrd } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'

/**
 * What is stored, listed and watched: NodePools under their real schema, with its defaults and rules, of 2.4 KB each once the server has
 * added its part (uid, times, managedFields).
 */

export const group = `/apis/${NodePool.apiVersion}`

export const definition = toCrd(NodePool)

/** Objects are spread over namespaces as pools are over the clusters of a fleet. */
const perNamespace = 1000

export function namespaceOf(index: number): string {
  return `fleet-${String(Math.floor(index / perNamespace)).padStart(3, '0')}`
}

export function namespacesFor(count: number): readonly string[] {
  return Array.from({ length: Math.ceil(count / perNamespace) }, (_, index) => namespaceOf(index * perNamespace))
}

export function nameOf(index: number): string {
  return `workers-${String(index).padStart(6, '0')}`
}

export function collectionPath(namespace: string): string {
  return `${group}/namespaces/${namespace}/${NodePool.plural}`
}

export function objectPath(index: number): string {
  return `${collectionPath(namespaceOf(index))}/${nameOf(index)}`
}

export const everywherePath = `${group}/${NodePool.plural}`

export interface Owner {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
}

/** The body of a POST. */
export function aPool(index: number, namespace = namespaceOf(index), owner?: Owner): string {
  const { apiVersion, kind, spec } = aNodePool({
    spec: {
      clusterName: namespace,
      replicas: 1 + (index % 9),
      nodeDrainTimeout: '10m0s',
      nodeLabels: { 'example.com/zone': `zone-${index % 3}`, 'example.com/rack': `rack-${index % 40}`, 'example.com/pool': nameOf(index) },
      taints: [{ key: 'example.com/dedicated', value: nameOf(index), effect: 'NoSchedule' }],
      config: [{ name: `machine-config-${index % 7}` }, { name: 'chrony' }],
    },
  })
  const labels = { 'hypershift.openshift.io/cluster': namespace, zone: `zone-${index % 3}`, team: `team-${index % 20}` }
  const annotations = { 'example.com/ticket': `OPS-${index}`, 'example.com/note': note }
  const ownerReferences = owner === undefined ? {} : { ownerReferences: [owner] }
  return JSON.stringify({ apiVersion, kind, metadata: { name: nameOf(index), namespace, labels, annotations, ...ownerReferences }, spec })
}

const note = 'Sized for the nightly batch; ask the owners before changing the number of replicas or the machines. '.repeat(3)

/** A merge patch of the status, different for each `round`: what a controller writes when something has happened to a pool. */
export function aStatusPatch(round: number): string {
  const lastTransitionTime = new Date(1_767_225_600_000 + round * 1000).toISOString().replace('.000', '')
  const conditions = [
    { type: 'Ready', status: round % 2 === 0 ? 'True' : 'False', reason: 'AsExpected', message: `Observed ${round}`, lastTransitionTime },
  ]
  return JSON.stringify({ status: { replicas: round % 9, version: '4.19.6', conditions } })
}
