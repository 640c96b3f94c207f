import { NodePool } from '@windlass/api'
import type { Context } from '../context.ts'
import { Failure } from '../failures.ts'
import { clusterSource, type Source, withClient } from '../views/index.ts'
import type { ClusterFlags } from '../views/options.ts'

export interface ScaleRequest extends ClusterFlags {
  /** NAME or NAMESPACE/NAME. */
  readonly pool: string
  readonly namespace?: string
  readonly replicas: number
}

/**
 * What `windlass scale nodepool` does.
 *
 * Errors: a `Failure`, before anything is written, for a pool that is not there, is going, or is scaled by somebody else.
 */
export async function scaleNodePool(context: Context, request: ScaleRequest): Promise<void> {
  const { replicas } = request
  await withClient(context, request, async (client) => {
    const pool = await findPool(
      clusterSource(client, () => context.clock.now()),
      request,
    )
    const { namespace = '', name = '', deletionTimestamp } = pool.metadata
    const key = `NodePool ${namespace}/${name}`
    if (deletionTimestamp !== undefined) throw new Failure(`${key} is being deleted: it cannot be scaled any more`)
    const { autoScaling, replicas: before = 0, pausedUntil } = pool.spec
    if (autoScaling !== undefined) {
      throw new Failure(
        `${key} is scaled by the autoscaler, between ${autoScaling.min ?? 0} and ${autoScaling.max ?? 0} nodes: change spec.autoScaling, or remove it to choose a size`,
      )
    }
    if (before === replicas) return context.output.print(`nodepool ${namespace}/${name} has ${replicas} replicas already`)
    await client.patch(NodePool, { namespace, name }, { spec: { replicas } })
    context.output.print(`nodepool ${namespace}/${name} scaled from ${before} to ${replicas}`)
    if (pausedUntil !== undefined && pausedUntil.toLowerCase() !== 'false')
      context.output.complain(`windlass: ${key} is paused (pausedUntil: ${pausedUntil}): nothing happens until that ends`)
  })
}

async function findPool(source: Source, { pool, namespace }: ScaleRequest): Promise<NodePool> {
  const parts = pool.split('/')
  const [first = '', second] = parts
  if (parts.length > 2 || parts.includes('')) throw new Failure(`"${pool}" names no node pool: write NAME, or NAMESPACE/NAME`)
  const place = second === undefined ? namespace : first
  const name = second ?? first
  const found = await source.list(NodePool, { name, ...(place === undefined ? {} : { namespace: place }) })
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  const names = found.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`).toSorted()
  if (only !== undefined) throw new Failure(`there are ${found.length} node pools named ${name}: ${names.join(', ')}. Choose one with -n`)
  throw new Failure(
    `there is no node pool ${name}${place === undefined ? '' : ` in the namespace ${place}`}: kubectl get nodepools -A lists what there is`,
  )
}
