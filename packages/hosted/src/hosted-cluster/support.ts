import type { ObservedHostedCluster } from './observed.ts'
import { asExpected, isNot } from './verdict.ts'
import type { Verdict } from './verdict.ts'

/** The condition SupportedHostedCluster: whether this operator, the way it was started, can run such a cluster. */
export function supported({ cluster, management }: ObservedHostedCluster): Verdict {
  const { type, aws } = cluster.spec.platform
  const isPrivate = type === 'AWS' && aws !== undefined && (aws.endpointAccess ?? 'Public') !== 'Public'
  const problem = isPrivate ? privateAwsProblem(aws.region, management.aws) : undefined
  if (problem !== undefined) return isNot('UnsupportedHostedCluster', problem)
  return asExpected('HostedCluster is supported by operator configuration')
}

/** Private endpoints are made from inside of the region, by the operator itself. */
function privateAwsProblem(region: string, operator: ObservedHostedCluster['management']['aws']): string | undefined {
  if (operator.region === undefined)
    return 'AWS_REGION is not set for the operator, which private clusters need; set it and start the operator again'
  if (!operator.hasCredentials)
    return 'AWS_SHARED_CREDENTIALS_FILE is not set for the operator, which private clusters need; set it and start the operator again'
  return region === operator.region ? undefined : `operator only supports private clusters in region ${operator.region}, not in ${region}`
}
