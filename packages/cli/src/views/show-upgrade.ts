import { ClusterVersion, type UpgradeConfig } from '@windlass/api'
import { formatTime, tryParseVersion } from '@windlass/core'
import type { Client } from '@windlass/kube'
import type { Context } from '../context.ts'
import { BadNews, Failure } from '../failures.ts'
import { withClient } from './cluster-access.ts'
import type { ClusterFlags } from './options.ts'
import type { OutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import {
  cancelUpgrade,
  type ClusterSeen,
  objectionTo,
  objectionToCancel,
  planLines,
  planUpgrade,
  readCluster,
  readUpgrade,
  timelineLines,
  timelineOf,
  writeUpgrade,
} from './upgrade/index.ts'

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
    return planUpgrade(specOf(wish, seen, context), seen)
  })
  context.output.print(rendered(wish.output, plan, () => planLines(plan)))
  if (!plan.validation.isValid || plan.health.some(({ isHealthy, blocks }) => blocks && !isHealthy)) throw new BadNews(attention)
}

/** What `windlass upgrade start` and `windlass upgrade schedule` do. */
export async function askForUpgrade(context: Context, wish: Wish & { readonly yes?: true }): Promise<void> {
  const { output } = context
  await withClient(context, wish, async (client) => {
    const seen = await readCluster(client, wish.namespace)
    const spec = specOf(wish, seen, context)
    const plan = planUpgrade(spec, seen)
    const objection = objectionTo(spec, seen) ?? (plan.validation.isValid ? undefined : plan.validation.why)
    if (objection !== undefined) throw new Failure(objection)
    if (!(await isConfirmed(context, wish.yes, () => output.print(planLines(plan).join('\n')), `Upgrade this cluster to ${plan.to}?`))) {
      throw new Failure('nothing was changed')
    }
    await writeUpgrade(client, context.clock, wish.namespace, spec)
    output.print(`upgrade to ${plan.to} is asked for, at ${spec.upgradeAt}: follow it with windlass upgrade show`)
  })
}

/** What `windlass upgrade show` does. Ends with status 2 when the upgrade has failed. */
export async function showUpgrade(context: Context, request: UpgradeRequest & { readonly output: OutputFormat }): Promise<void> {
  const timeline = timelineOf(await withClient(context, request, (client) => existing(client, request.namespace)))
  context.output.print(rendered(request.output, timeline, () => timelineLines(timeline, context.clock.now())))
  if (timeline.phase === 'Failed') throw new BadNews(attention)
}

/** What `windlass upgrade cancel` does. */
export async function callOff(context: Context, request: UpgradeRequest & { readonly yes?: true }): Promise<void> {
  const { output } = context
  await withClient(context, request, async (client) => {
    const upgradeConfig = await existing(client, request.namespace)
    const objection = objectionToCancel(upgradeConfig, await client.get(ClusterVersion, { name: 'version' }))
    if (objection !== undefined) throw new Failure(objection)
    const { version = '' } = upgradeConfig.spec.desired
    const show = (): void => output.print(timelineLines(timelineOf(upgradeConfig), context.clock.now()).join('\n'))
    if (!(await isConfirmed(context, request.yes, show, `Call off the upgrade to ${version}?`))) throw new Failure('nothing was changed')
    await cancelUpgrade(client, upgradeConfig)
    output.print(`upgrade to ${version} is called off; what was prepared for it is removed within some minutes`)
  })
}

async function existing(client: Client, namespace: string): Promise<UpgradeConfig> {
  const found = await readUpgrade(client, namespace)
  if (found !== undefined) return found
  throw new Failure(`there is no upgrade in namespace ${namespace}: ask for one with windlass upgrade schedule`)
}

async function isConfirmed({ confirm }: Context, yes: true | undefined, show: () => void, question: string): Promise<boolean> {
  if (yes === true) return true
  if (confirm === undefined) throw new Failure('nobody is here to confirm it: say --yes, or look with windlass upgrade plan first')
  show()
  return confirm(`\n${question}`)
}

/** The channel follows from the version, in the group that the cluster is in; the type is that of the operator's configuration. */
function specOf(wish: Wish, { clusterVersion, config }: ClusterSeen, { clock }: Context): UpgradeConfig['spec'] {
  const { version, image, at, pdbTimeout, capacityReservation } = wish
  const [group = 'stable'] = (clusterVersion.spec.channel ?? '').split('-')
  const parsed = tryParseVersion(version)
  const usual = parsed === undefined ? undefined : `${group === '' ? 'stable' : group}-${parsed.major}.${parsed.minor}`
  const channel = wish.channel ?? (image === undefined ? usual : undefined)
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
