import { ClusterVersion, MachineConfigPool, Node, Pod, PodDisruptionBudget, UpgradeConfig } from '@windlass/api'
import {
  type AsyncControllerDefinition,
  done,
  every,
  type Plan,
  type ReconcileContext,
  type Ref,
  refOf,
  requeueAfter,
  type StaleView,
} from '@windlass/kube'
import { workerPoolName } from '../cluster/worker-pool.ts'
import { checkConfig } from '../config/index.ts'
import { performAll } from '../effects/index.ts'
import { allOf, clusterVersionRef, loadConfig, performer, StoredUpgrade } from '../hands/index.ts'
import type { UpgradeParts } from '../parts.ts'
import { upgradeConfigName } from '../upgrade-config/names.ts'
import { resyncMinutes } from '../upgrade-config/schedule.ts'
import { decideNode, isKept, isToBeHelped, type NodeDecision, type NodeView } from './decide.ts'

/** Looks after the worker nodes. What nodes say about themselves all day long is answered from memory; the server is asked only for a node that drains. */
export function nodeKeeper(parts: UpgradeParts): AsyncControllerDefinition<Node> {
  return {
    name: 'node-keeper',
    for: Node,
    predicate: ({ object }) => isKept(object),
    reads: [UpgradeConfig, MachineConfigPool],
    sources: [every(resyncMinutes * parts.minute, (cache) => cache.list(Node).filter(isKept).map(refOf))],
    backOff: { longest: parts.minute },
    reconcile: (ref, context) => lookAfter(ref, parts, context),
  }
}

async function lookAfter({ name }: Ref, parts: UpgradeParts, context: ReconcileContext): Promise<Plan> {
  const { cache, clock, log } = context
  const known = {
    name,
    upgradeConfig: cache.get(UpgradeConfig, configRef(parts)),
    node: cache.get(Node, { name }),
    workerPool: cache.get(MachineConfigPool, { name: workerPoolName }),
  }
  if (!isToBeHelped(known)) {
    return changeGauges(decideNode({ ...known, config: unneeded, pods: [], budgets: [] }, clock.now()), parts)
  }
  const config = checkConfig(await loadConfig(context, parts.namespace, parts.minute), 'node keeper')
  const view: NodeView = { name, config: () => config, ...(await ask(name, parts, context)) }
  const decision = decideNode(view, clock.now())
  if (view.upgradeConfig === undefined) return changeGauges(decision, parts)
  let overtaken: StaleView | undefined
  const clusterId = async (): Promise<string> =>
    (await context.client.get(ClusterVersion, clusterVersionRef, { signal: context.signal })).spec.clusterID
  const stored = new StoredUpgrade(view.upgradeConfig, context)
  const perform = performer({ parts, context, stored, config, clusterId }, (error) => (overtaken = error))
  const problem = await performAll(decision.effects, perform, (message) => log.warn({}, message))
  if (overtaken !== undefined) throw overtaken
  const problems = [decision.problem, problem].filter((text) => text !== undefined)
  if (problems.length > 0) throw new Error(`node ${name}: ${problems.join('; ')}`)
  return decision.requeueAfter === undefined ? done : requeueAfter(decision.requeueAfter, `node ${name} to be drained`)
}

function configRef({ namespace }: UpgradeParts): Ref {
  return { namespace, name: upgradeConfigName }
}

/** Nothing else follows where there is no node to help. */
function changeGauges({ effects }: NodeDecision, { gauges }: UpgradeParts): Plan {
  for (const effect of effects) if (effect.do === 'gauge') gauges.change(effect.change)
  return done
}

function unneeded(): never {
  throw new Error('the configuration is not needed for a node that needs no help')
}

type Answers = Pick<NodeView, 'upgradeConfig' | 'node' | 'workerPool' | 'pods' | 'budgets'>

/**
 * Asks the server about everything that the decision goes by: memory may be late, and pods are deleted by it. The pods come first. If the node still drains
 * after that, each of them was there while it did, and none came to a node that was open again already.
 *
 * The server selects the pods: a cluster may have a hundred thousand.
 */
async function ask(name: string, parts: UpgradeParts, { client, signal }: ReconcileContext): Promise<Answers> {
  const pods = await allOf(client.list(Pod, { fieldSelector: `spec.nodeName=${name}`, signal }))
  const budgets = await allOf(client.list(PodDisruptionBudget, { signal }))
  const [upgradeConfig, workerPool, node] = await Promise.all([
    client.find(UpgradeConfig, configRef(parts), { signal }),
    client.find(MachineConfigPool, { name: workerPoolName }, { signal }),
    client.find(Node, { name }, { signal }),
  ])
  return { pods, budgets, upgradeConfig, workerPool, node }
}
