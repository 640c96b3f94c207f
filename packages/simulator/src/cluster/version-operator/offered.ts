import type { ClusterVersion } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { equalJson } from '@windlass/kube'
import { injected, type Injection } from '../injections/index.ts'
import { type Settings, takes } from '../settings.ts'
import { offerTo } from '../updates/index.ts'
import { type Condition, say, type Said } from './condition.ts'
import type { Status } from './history.ts'
import type { Look } from './progress.ts'

type Updates = Pick<Status, 'availableUpdates' | 'conditionalUpdates'>

/** What the status says about updates, and whether that is the last word. */
export interface Offered extends Updates {
  /** Undefined while nothing has been found out. */
  readonly retrieved: Said | undefined
  /** A question that has to be put on record. */
  readonly look?: Look
  /** When there will be an answer. */
  readonly at?: Instant
}

/** Updates that the cluster could take from here. The answer takes a moment; until then the last one stands. */
export function offered(
  clusterVersion: ClusterVersion,
  version: string,
  {
    settings,
    injections,
    look,
  }: { readonly settings: Settings; readonly injections: readonly Injection<'ClusterVersion'>[]; readonly look: Look | undefined },
  now: Instant,
): Offered {
  const { spec, status } = clusterVersion
  const { channel = '', clusterID } = spec
  const isBroken = injected(injections, 'no-updates') !== undefined
  const answer = answerFor(channel, version, settings, isBroken)
  if (channel === '' || isSame(answer, status)) return answer
  const question = `${channel} ${version}${isBroken ? ' unanswered' : ''}`
  const length = takes(settings, 'look', `${clusterID}/${question}`)
  if (look?.for === question && look.since + length <= now) return answer
  const before: Updates = {
    availableUpdates: status?.availableUpdates ?? null,
    ...(status?.conditionalUpdates === undefined ? {} : { conditionalUpdates: status.conditionalUpdates }),
  }
  const known = findCondition(status?.conditions, 'RetrievedUpdates')
  const asked = look?.for === question ? look : { for: question, since: now }
  return {
    ...before,
    retrieved: known === undefined ? undefined : withoutTime(known),
    ...(asked === look ? {} : { look: asked }),
    at: asked.since + length,
  }
}

function answerFor(channel: string, version: string, { updates }: Settings, isBroken: boolean): Offered {
  const nothing = (reason: string, message: string): Offered => ({
    availableUpdates: null,
    retrieved: say('RetrievedUpdates', 'False', reason, message),
  })
  if (channel === '') return nothing('NoChannel', 'The update channel has not been configured.')
  if (updates === undefined || isBroken)
    return nothing('RemoteFailed', 'Unable to retrieve available updates: the update service does not answer')
  const { available, conditional, isKnown } = offerTo(version, updates(channel))
  if (!isKnown) {
    const message = `Unable to retrieve available updates: currently reconciling cluster version ${version} not found in the "${channel}" channel`
    return nothing('VersionNotFound', message)
  }
  return {
    availableUpdates: available,
    ...(conditional.length === 0 ? {} : { conditionalUpdates: conditional }),
    retrieved: say('RetrievedUpdates', 'True'),
  }
}

function isSame({ retrieved, availableUpdates, conditionalUpdates }: Offered, status: Status | undefined): boolean {
  const known = findCondition(status?.conditions, 'RetrievedUpdates')
  return (
    known !== undefined &&
    retrieved?.status === known.status &&
    retrieved.reason === known.reason &&
    retrieved.message === known.message &&
    equalJson(availableUpdates, status?.availableUpdates ?? null) &&
    equalJson(conditionalUpdates ?? [], status?.conditionalUpdates ?? [])
  )
}

function withoutTime({ lastTransitionTime: _, ...said }: Condition): Said {
  return said
}
