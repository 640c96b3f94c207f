import { NodePool } from '@windlass/api'
import type { JsonObject, OwnerReference } from '@windlass/api'
import { type Action, equalJson, event, isOwnedBy, patch, type Plan, plan, refOf, requeueAfter, status, wait } from '@windlass/kube'
import { type Conditions, judge, type Row, type Said, type Stop, withOutcome } from './conditions/index.ts'
import { machinesOf, type Seen } from './seen.ts'
import { nodesInfoOf, osImageStreamOf } from './status/index.ts'
import type { Target } from './target.ts'
import { finalizer, PoolAnnotation } from './wire.ts'

type Status = NonNullable<NodePool['status']>

const nothingAdopted = {
  [PoolAnnotation.adoptedHash]: null,
  [PoolAnnotation.adoptedConfig]: null,
  [PoolAnnotation.adoptedTemplate]: null,
  [PoolAnnotation.adoptedPlatform]: null,
}

/** Where the virtual machines run when that is another cluster: whoever looks after the pool's disks there has it from here. */
function platformStatus({ pool, cluster }: Seen): Pick<Status, 'platform'> {
  const { credentials } = cluster.spec.platform.kubevirt ?? {}
  if (pool.spec.platform.type !== 'KubeVirt' || credentials === undefined) return {}
  const { platform } = pool.status ?? {}
  return { platform: { ...platform, kubeVirt: { ...platform?.kubeVirt, credentials } } }
}

/** What a pass has come to so far: what it will write, and what it will have done. Gathered here and nowhere else, and turned into a plan once. */
export class Pass {
  readonly #seen: Seen
  readonly #actions: Action[] = []
  readonly #annotations: Record<string, string | null> = {}
  #status: Status

  /** What the nodes run is written in any case, also when something stops the pass at once. */
  constructor(seen: Seen) {
    this.#seen = seen
    const { pool, machines } = seen
    const { nodesInfo: _, ...before } = pool.status ?? {}
    const listed = machinesOf(seen)
    const nodesInfo = machines.is === 'failed' ? pool.status?.nodesInfo : nodesInfoOf(listed, pool.status)
    const osImageStream = osImageStreamOf(listed, pool.status)
    this.#status = {
      replicas: 0,
      ...before,
      ...(nodesInfo === undefined ? {} : { nodesInfo }),
      ...(osImageStream === undefined ? {} : { osImageStream }),
      ...platformStatus(seen),
    }
  }

  get conditions(): Conditions {
    return this.#status.conditions ?? []
  }

  write(conditions: Conditions): void {
    this.#status = { ...this.#status, conditions }
  }

  say(type: string, said: Said): void {
    this.write(withOutcome(this.conditions, type, said, this.#seen))
  }

  judgeRows(rows: readonly Row[]): Stop | undefined {
    const { conditions, stop } = judge(rows, this.#seen, this.conditions)
    this.write(conditions)
    return stop
  }

  annotate(annotations: Readonly<Record<string, string | null>>): void {
    Object.assign(this.#annotations, annotations)
  }

  act(actions: readonly Action[]): void {
    this.#actions.push(...actions)
  }

  setReplicas(replicas: number): void {
    this.#status = { ...this.#status, replicas }
  }

  /** Every node is at the target. Hashes that were taken over from somebody else are not needed any more once another one is complete. */
  complete({ version, hash, configHash, digest, adoption }: Target, template: string | undefined): void {
    this.#status = { ...this.#status, version: version.text }
    this.annotate({
      [PoolAnnotation.currentConfig]: configHash,
      [PoolAnnotation.currentConfigVersion]: hash,
      [PoolAnnotation.configDigest]: digest,
      ...(template === undefined ? {} : { [PoolAnnotation.machineTemplate]: template }),
      ...(adoption.is === 'native' ? nothingAdopted : {}),
    })
  }

  /** The plan. The pool comes first: what was found out is written even if something after it fails. */
  finish(stop?: Stop): Plan & { readonly error: string | undefined } {
    const { pool } = this.#seen
    const metadata = this.#metadataPatch()
    const error = stop?.is === 'error' ? stop.error : undefined
    const parts = plan(
      metadata === undefined ? undefined : patch(NodePool, refOf(pool), { metadata }, 'the pool is looked after', { ifStill: pool }),
      this.#statusAction(metadata === undefined),
      ...this.#actions,
      error === undefined ? undefined : event(pool, 'Warning', 'ReconcileError', error),
      stop?.is === 'quiet' ? wait(stop.waitingFor) : undefined,
      stop?.is === 'later' ? requeueAfter(stop.milliseconds, stop.waitingFor) : undefined,
    )
    return { ...parts, error }
  }

  #metadataPatch(): JsonObject | undefined {
    const { pool } = this.#seen
    const { finalizers = [], annotations: before = {}, ownerReferences = [] } = pool.metadata
    const annotations = Object.entries(this.#annotations).filter(([key, value]) => (before[key] ?? null) !== value)
    const owner = this.#missingOwner()
    if (annotations.length === 0 && owner === undefined && finalizers.includes(finalizer)) return undefined
    return {
      ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
      ...(finalizers.includes(finalizer) ? {} : { finalizers: [...finalizers, finalizer] }),
      ...(owner === undefined ? {} : { ownerReferences: [...ownerReferences, owner].map((reference) => ({ ...reference })) }),
    }
  }

  /** The cluster owns its pools and does not control them. */
  #missingOwner(): OwnerReference | undefined {
    const { pool, cluster } = this.#seen
    const { name, uid } = cluster.metadata
    if (name === undefined || uid === undefined || isOwnedBy(pool, cluster)) return undefined
    return { apiVersion: cluster.apiVersion, kind: cluster.kind, name, uid }
  }

  /** Conditions are replaced whole: they must be those that were looked at, unless we have just written the pool ourselves. */
  #statusAction(isPoolUntouched: boolean): Action | undefined {
    const { pool } = this.#seen
    const { conditions, replicas, version, nodesInfo, osImageStream, platform } = this.#status
    const fields = { conditions, replicas, version, nodesInfo, osImageStream, platform }
    const before: Partial<Status> = pool.status ?? {}
    const isSame = Object.entries(fields).every(([field, value]) => equalJson(Reflect.get(before, field), value))
    if (isSame) return undefined
    return status(NodePool, pool, fields, 'this is what was seen of the pool', { ifUnchanged: isPoolUntouched })
  }
}
