import { type Clock, systemRandom } from '@windlass/core'
import { type Door, memberName, type MemberSource } from '@windlass/fleet'
import {
  type ClientOptions,
  createClient,
  HttpsTransport,
  inClusterOptions,
  isInCluster,
  type Kubeconfig,
  loadKubeconfig,
  type Log,
  type TransportOptions,
} from '@windlass/kube'
import { Failure } from '../failures.ts'
import { version } from '../version.ts'
import { networkDoor } from './doors.ts'

/** Which Kubernetes APIs a fleet is read from, as commander hands it over. */
export interface MemberFlags {
  readonly kubeconfig?: string
  readonly context?: readonly string[]
  readonly allContexts?: true
}

/** A Kubernetes API of the fleet: how it is read, and how people get into it. */
export interface FleetMember {
  readonly source: MemberSource
  readonly door: Door
}

/**
 * The members that the flags, the environment or the usual kubeconfig lead to: the contexts that are asked for, all of them, or the current one. Without a
 * kubeconfig, in a pod, the cluster that it is in.
 *
 * # Errors
 *
 * `KubeconfigError` when there is no kubeconfig, `Failure` when a context is not in it. A context that leads nowhere is a member that cannot be reached.
 */
export async function membersOf(
  flags: MemberFlags,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<readonly FleetMember[]> {
  const options: Omit<ClientOptions, 'transport'> = {
    clock,
    log,
    random: systemRandom,
    userAgent: `windlass/${version}`,
    fieldManager: 'windlass',
  }
  if (isOwnCluster(flags)) return [member('in-cluster', () => inClusterOptions({ clock }), options)]
  const load = (): Promise<Kubeconfig> => loadKubeconfig({ clock, ...(flags.kubeconfig === undefined ? {} : { file: flags.kubeconfig }) })
  const contexts = chosen(await load(), flags)
  // Read again for every connection: it may have been repaired.
  return contexts.map((context) => member(memberName(context), async () => (await load()).access(context), options))
}

function member(name: string, access: () => Promise<TransportOptions>, options: Omit<ClientOptions, 'transport'>): FleetMember {
  const connect = async () => createClient({ ...options, transport: new HttpsTransport(await access()) })
  return { source: { name, connect }, door: networkDoor(name, access, options) }
}

function isOwnCluster({ kubeconfig, context, allContexts }: MemberFlags): boolean {
  const isTold = kubeconfig !== undefined || context !== undefined || allContexts !== undefined || (process.env['KUBECONFIG'] ?? '') !== ''
  return !isTold && isInCluster(process.env)
}

function chosen({ name, contexts, context: current }: Kubeconfig, { context: asked, allContexts }: MemberFlags): readonly string[] {
  const present = contexts.map((each) => each.name)
  if (allContexts === true) {
    if (present.length === 0) throw new Failure(`${name} has no contexts: choose another with --kubeconfig`)
    return present
  }
  if (asked === undefined) {
    if (current === undefined) throw new Failure(`${name} has no current-context: choose one with --context, or --all-contexts`)
    return [current]
  }
  const missing = asked.find((each) => !present.includes(each))
  if (missing === undefined) return [...new Set(asked)]
  throw new Failure(`${name} has no context ${missing}: it has ${present.length === 0 ? 'none' : present.join(', ')}`)
}
