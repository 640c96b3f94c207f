import { isSameOccasion } from '../notifications/descriptions.ts'
import type { ServiceLog, UpgradePolicy, UpgradePolicyState } from '../notifications/ocm.ts'
import { type Seen, seen, unseen } from '../observed/seen.ts'
import { readCluster, readPolicyPage } from '../provider/ocm-answers.ts'
import { isServiceLogAccepted } from '../provider/ocm-routes.ts'
import { jsonOf } from './exchange.ts'
import { type OcmOptions, OcmRequests } from './ocm-requests.ts'
import type { Ocm, OcmAddress } from './types.ts'

/** More pages of policies than any cluster has: a server that always promises another one is not followed for ever. */
const mostPages = 100

const policiesProblem = 'could not retrieve provider upgrade policies'

/** OCM, or its agent, about one cluster. */
export function ocmClient(address: OcmAddress, options: OcmOptions): Ocm {
  const requests = new OcmRequests(address, options)
  let hasMissedLogs = false

  return {
    async cluster(signal) {
      const outcome = await requests.ask({ method: 'GET', route: (routes) => routes.cluster(address.clusterId) }, signal)
      if ('status' in outcome && outcome.status < 300) return readCluster(jsonOf(outcome), address.clusterId)
      return { is: 'unreadable', problem: `OCM Provider unavailable: ${requests.describe(outcome)}` }
    },

    async policies(ocmId, signal): Promise<Seen<readonly UpgradePolicy[]>> {
      const all: UpgradePolicy[] = []
      for (let page = 1; page <= mostPages; page++) {
        const outcome = await requests.ask({ method: 'GET', route: (routes) => routes.policies(ocmId, page) }, signal)
        if (!('status' in outcome) || outcome.status >= 300) return unseen(`${policiesProblem}: ${requests.describe(outcome)}`)
        const read = readPolicyPage(jsonOf(outcome), page)
        if ('problem' in read) return read
        all.push(...read.value.policies)
        if (!read.value.hasMore || read.value.policies.length === 0) return seen(all)
      }
      return unseen(`${policiesProblem}: there are more than ${mostPages} pages of them`)
    },

    async policyState(ocmId, policyId, signal): Promise<Seen<UpgradePolicyState>> {
      const outcome = await requests.ask({ method: 'GET', route: (routes) => routes.policyState(ocmId, policyId) }, signal)
      if (!('status' in outcome) || outcome.status >= 300) return unseen(requests.describe(outcome))
      const state = jsonOf(outcome)
      const value = fieldOf(state, 'value')
      if (value === undefined) return unseen(`the state of upgrade policy ${policyId} has no value`)
      const description = fieldOf(state, 'description')
      return seen({ value, ...(description === undefined ? {} : { description }) })
    },

    async setPolicyState(ocmId, policyId, body, signal) {
      const outcome = await requests.ask({ method: 'PATCH', route: (routes) => routes.policyState(ocmId, policyId), body }, signal)
      if ('status' in outcome && outcome.status < 400) return
      throw new Error(`upgrade policy ${policyId} cannot be told that it is ${body.value}: ${requests.describe(outcome)}`)
    },

    async postServiceLog(ocmId, log, signal) {
      const body = { ...log, cluster_id: ocmId }
      const outcome = await requests.ask({ method: 'POST', route: (routes) => routes.serviceLogs(), body }, signal)
      if (!('status' in outcome) || !isServiceLogAccepted(address.baseUrl, outcome.status)) {
        throw new Error(`the service log "${log.summary}" cannot be posted: ${requests.describe(outcome)}`)
      }
      if (outcome.status !== 404 || hasMissedLogs) return
      hasMissedLogs = true
      options.log.warn({ server: address.baseUrl }, 'the OCM agent has no route for service logs: none will be posted')
    },

    async hasServiceLog(ocmId, log, signal): Promise<Seen<boolean>> {
      const outcome = await requests.ask({ method: 'GET', route: () => serviceLogsOf(ocmId) }, signal)
      if ('status' in outcome && outcome.status === 404) return seen(isServiceLogAccepted(address.baseUrl, 404))
      // Whoever may not read the log never knows, and to say something twice is better than not at all.
      if ('status' in outcome && outcome.status === 403) return seen(false)
      if (!('status' in outcome) || outcome.status >= 300) return unseen(`service logs cannot be listed: ${requests.describe(outcome)}`)
      const entries = listIn(jsonOf(outcome))
      if (entries === undefined) return unseen('service logs cannot be listed: the answer is no list')
      return seen(entries.some((entry) => isSame(entry, log)))
    },
  }
}

/** The newest entries: the one in question is of this upgrade. */
function serviceLogsOf(ocmId: string): string {
  const query = new URLSearchParams({ cluster_id: ocmId, orderBy: 'timestamp desc', page: '1', size: '100' })
  return `/api/service_logs/v1/clusters/cluster_logs?${query.toString()}`
}

function isSame(entry: unknown, { summary, description }: ServiceLog): boolean {
  return fieldOf(entry, 'summary') === summary && isSameOccasion(fieldOf(entry, 'description') ?? '', description)
}

function listIn(body: unknown): readonly unknown[] | undefined {
  const items: unknown = typeof body === 'object' && body !== null && 'items' in body ? body.items : body
  return Array.isArray(items) ? items : undefined
}

/** A field that is a text. */
function fieldOf(value: unknown, name: string): string | undefined {
  const field: unknown = typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
  return typeof field === 'string' ? field : undefined
}
