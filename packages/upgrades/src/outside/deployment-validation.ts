import type { Client } from '@windlass/kube'
import { authorization } from '../provider/credentials.ts'
import { NoAddressError, serviceUrl, type Whereabouts } from './cluster-services.ts'
import { exchange, isWell } from './exchange.ts'
import type { Kept } from './kept.ts'
import type { DeploymentValidationOperator } from './types.ts'
import type { Ways } from './ways.ts'

export interface DeploymentValidationOptions {
  readonly client: Client
  readonly ways: Ways
  readonly where: Whereabouts
  readonly token: Kept<string>
  readonly userAgent: string
}

const service = {
  namespace: 'openshift-deployment-validation-operator',
  name: 'deployment-validation-operator-metrics',
  port: 'http-metrics',
  scheme: 'http',
} as const

/** The Deployment Validation Operator, which not every cluster has. It has no Route: it is found by its Service, wherever we run. */
export function deploymentValidationClient(options: DeploymentValidationOptions): DeploymentValidationOperator {
  const { client, ways, where, token, userAgent } = options
  const { endpoints } = where
  return {
    async metrics(clusterId, signal) {
      let server: string
      let shown: string
      try {
        server = await serviceUrl(client, service, endpoints === undefined ? {} : { endpoints }, signal)
        shown = await token.get(signal)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof NoAddressError && error.isAbsent) return { is: 'not installed' }
        return { is: 'unreachable', problem: error instanceof Error ? error.message : String(error) }
      }
      const headers = { authorization: authorization(clusterId, shown), 'user-agent': userAgent }
      const way = ways.to(`${service.namespace}/${service.name}`, { server })
      const outcome = await exchange(way, { method: 'GET', path: '/metrics', headers }, signal)
      if ('problem' in outcome) return { is: 'unanswered', problem: outcome.problem }
      if (isWell(outcome)) return { is: 'answered', metrics: outcome.body }
      return { is: 'unanswered', problem: `${server} answered with status ${outcome.status}: check the Pods of ${service.namespace}` }
    },
  }
}
