import { type Seen, unseen } from '../observed/seen.ts'
import { isLive, type NewSilence, type Silence } from '../windows/silence.ts'
import { complaintOf, isWell, jsonOf, type Outcome } from './exchange.ts'
import { type MonitoringOptions, MonitoringService } from './monitoring.ts'
import { readSilences } from './silences.ts'
import type { Alertmanager } from './types.ts'

const base = '/api/v2'

/** The cluster's own Alertmanager. */
export function alertmanagerClient(options: MonitoringOptions): Alertmanager {
  const service = new MonitoringService(
    { namespace: 'openshift-monitoring', name: 'alertmanager-main', port: 'web', scheme: 'https' },
    options,
  )

  async function silences(signal: AbortSignal): Promise<Seen<readonly Silence[]>> {
    const outcome = await service.ask({ method: 'GET', path: `${base}/silences` }, signal)
    if ('problem' in outcome || !isWell(outcome)) return unseen(`silences cannot be listed: ${problemOf(outcome)}`)
    return readSilences(jsonOf(outcome))
  }

  async function isThere({ createdBy, comment }: NewSilence, signal: AbortSignal): Promise<boolean> {
    const all = await silences(signal)
    return 'value' in all && all.value.some((each) => isLive(each) && each.createdBy === createdBy && each.comment === comment)
  }

  return {
    silences,

    /** A silence has no name that could be chosen. What was lost on the way back is looked for, so that nobody makes it a second time. */
    async create(silence, signal) {
      if (await isThere(silence, signal)) return
      const outcome = await service.ask({ method: 'POST', path: `${base}/silences`, body: JSON.stringify(silence) }, signal)
      if (isWell(outcome)) return
      const mayBeThere = 'problem' in outcome && !outcome.isUnsent
      if (mayBeThere && (await isThere(silence, signal))) return
      throw new Error(`the silence "${silence.comment}" cannot be made: ${problemOf(outcome)}`)
    },

    async end(id, signal) {
      const outcome = await service.ask({ method: 'DELETE', path: `${base}/silence/${encodeURIComponent(id)}` }, signal)
      if (isWell(outcome) || isGone(outcome)) return
      throw new Error(`silence ${id} cannot be ended: ${problemOf(outcome)}`)
    },
  }
}

/** Newer versions say 404. Up to 0.25 it is an internal error of a certain text. */
function isGone(outcome: Outcome): boolean {
  if ('problem' in outcome) return false
  return outcome.status === 404 || (outcome.status === 500 && /silence .*not found/.test(outcome.body))
}

function problemOf(outcome: Outcome): string {
  if ('problem' in outcome) return outcome.problem
  const remedy = outcome.status < 500 ? '' : ' (check the Pods of alertmanager-main in openshift-monitoring)'
  return `Alertmanager answered with status ${outcome.status}${complaintOf(outcome.body, 'message', 'error')}${remedy}`
}
