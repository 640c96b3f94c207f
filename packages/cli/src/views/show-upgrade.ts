import { ClusterVersion, type UpgradeConfig } from '@windlass/api'
import { formatTime } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { channelFor, timelineOf } from '@windlass/upgrades'
import type { Context } from '../context.ts'
import { BadNews, Failure } from '../failures.ts'
import { paintFor } from './colours.ts'
import { withClient } from './cluster-access.ts'
import type { ClusterFlags, WatchFlags } from './options.ts'
import type { OutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import {
  cancelUpgrade,
  type CancelView,
  type ClusterSeen,
  objectionTo,
  objectionToCancel,
  planLines,
  planUpgrade,
  readCluster,
  readOperatorConfig,
  readUpgrade,
  timelineLines,
  writeUpgrade,
} from './upgrade/index.ts'
import { show } from './watching.ts'

export interface UpgradeRequest extends ClusterFlags {
  readonly namespace: string
}

/** What upgrade is meant, as a person says it. */
export interface Wish extends UpgradeRequest {
  readonly version?: string
  readonly channel?: string
  readonly image?: string
  /** At once without it. */
  readonly at?: string
  readonly type?: 'OSD' | 'ARO'
  readonly pdbTimeout: number
  readonly capacityReservation: boolean
}

/** What the exit status is when somebody should look. */
const attention = 2

/** What `windlass upgrade plan` does. Ends with status 2 when the upgrade would not get far. */
export async function showPlan(context: Context, wish: Wish & { readonly output: OutputFormat }): Promise<void> {
  const plan = await withClient(context, wish, async (client) => {
    const seen = await readCluster(client, wish.namespace)
    return planUpgrade(specOf(wish, seen, context), seen, context.clock.now())
  })
  context.output.print(rendered(wish.output, plan, () => planLines(plan, paintFor(context.output))))
  if (!plan.validation.isValid || plan.health.some(({ isHealthy, blocks }) => blocks && isHealthy === false)) throw new BadNews(attention)
}

/** What `windlass upgrade start` and `windlass upgrade schedule` do. What was true before the answer is looked at again after it: people take their time. */
export async function askForUpgrade(context: Context, wish: Wish & { readonly yes?: true }): Promise<void> {
  const { output } = context
  await withClient(context, wish, async (client) => {
    const { spec, plan } = await acceptable(client, context, wish)
    const tell = (): void => output.print(planLines(plan, paintFor(output)).join('\n'))
    if (!(await isConfirmed(context, wish.yes, tell, `Upgrade this cluster to ${plan.to}?`))) throw new Failure('nothing was changed')
    const { seen } = await acceptable(client, context, wish)
    await writeUpgrade(client, context.clock, wish.namespace, spec, seen.upgradeConfig)
    output.print(`upgrade to ${plan.to} is asked for, at ${spec.upgradeAt}: follow it with windlass upgrade show`)
  })
}

/** What is asked for and what comes of it. Throws a `Failure` for what cannot be had now. */
async function acceptable(client: Client, context: Context, wish: Wish) {
  const seen = await readCluster(client, wish.namespace)
  const spec = specOf(wish, seen, context)
  const plan = planUpgrade(spec, seen, context.clock.now())
  const objection = objectionTo(spec, seen) ?? (plan.validation.isValid ? undefined : plan.validation.why)
  if (objection !== undefined) throw new Failure(objection)
  return { seen, spec, plan }
}

/** What `windlass upgrade show` does. Ends with status 2 when the upgrade has failed. */
export async function showUpgrade(
  context: Context,
  request: UpgradeRequest & WatchFlags & { readonly output: OutputFormat },
): Promise<void> {
  const timeline = await show(context, request, {
    read: async () => timelineOf(await withClient(context, request, (client) => existing(client, request.namespace))),
    text: (view) => rendered(request.output, view, () => timelineLines(view, context.clock.now(), paintFor(context.output))),
  })
  if (timeline.phase === 'Failed') throw new BadNews(attention)
}

/** What `windlass upgrade cancel` does. */
export async function callOff(context: Context, request: UpgradeRequest & { readonly yes?: true }): Promise<void> {
  const { output } = context
  await withClient(context, request, async (client) => {
    const look = async (): Promise<CancelView> => ({
      upgradeConfig: await existing(client, request.namespace),
      clusterVersion: await client.get(ClusterVersion, { name: 'version' }),
      config: await readOperatorConfig(client, request.namespace),
    })
    const view = await look()
    const { upgradeConfig } = view
    const objection = objectionToCancel(view)
    if (objection !== undefined) throw new Failure(objection)
    const { version = '' } = upgradeConfig.spec.desired
    const tell = (): void => output.print(timelineLines(timelineOf(upgradeConfig), context.clock.now(), paintFor(output)).join('\n'))
    if (!(await isConfirmed(context, request.yes, tell, `Call off the upgrade to ${version}?`))) throw new Failure('nothing was changed')
    await cancelUpgrade(client, upgradeConfig, look)
    output.print(`upgrade to ${version} is called off; what was prepared for it is removed within some minutes`)
  })
}

async function existing(client: Client, namespace: string): Promise<UpgradeConfig> {
  const found = await readUpgrade(client, namespace)
  if (found !== undefined) return found
  throw new Failure(`there is no upgrade in namespace ${namespace}: ask for one with windlass upgrade schedule`)
}

async function isConfirmed({ confirm }: Context, yes: true | undefined, tell: () => void, question: string): Promise<boolean> {
  if (yes === true) return true
  if (confirm === undefined) throw new Failure('nobody is here to confirm it: say --yes, or look with windlass upgrade plan first')
  tell()
  return confirm(`\n${question}`)
}

/** The channel follows from the version, in the group that the cluster is in; the type is that of the operator's configuration. */
function specOf(wish: Wish, { clusterVersion, config }: ClusterSeen, { clock }: Context): UpgradeConfig['spec'] {
  const { version, image, at, pdbTimeout, capacityReservation } = wish
  const [group] = (clusterVersion.spec.channel ?? '').split('-')
  const channel = wish.channel ?? (image === undefined && version !== undefined ? channelFor(version, group) : undefined)
  return {
    type: wish.type ?? (config.upgradeType === 'OSD' ? 'OSD' : 'ARO'),
    upgradeAt: at ?? formatTime(clock.now()),
    PDBForceDrainTimeout: pdbTimeout,
    desired: {
      ...(version === undefined ? {} : { version }),
      ...(channel === undefined ? {} : { channel }),
      ...(image === undefined ? {} : { image }),
    },
    ...(capacityReservation ? { capacityReservation } : {}),
  }
}
