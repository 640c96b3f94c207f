import type { HostedCluster } from '@windlass/api'
import { isUnreported } from '../hosted-cluster/copied-conditions.ts'

type Expected = 'True' | 'False' | 'Unknown'

const always: Readonly<Record<string, Expected>> = {
  Available: 'True',
  InfrastructureReady: 'True',
  KubeAPIServerAvailable: 'True',
  IgnitionEndpointAvailable: 'True',
  EtcdAvailable: 'True',
  ValidReleaseInfo: 'True',
  ValidConfiguration: 'True',
  SupportedHostedCluster: 'True',
  ClusterVersionSucceeding: 'True',
  ClusterVersionAvailable: 'True',
  ClusterVersionReleaseAccepted: 'True',
  ReconciliationActive: 'True',
  ReconciliationSucceeded: 'True',
  ConfigOperatorReconciliationSucceeded: 'True',
  ValidHostedControlPlaneConfiguration: 'True',
  ValidReleaseImage: 'True',
  PlatformCredentialsFound: 'True',
  DataPlaneConnectionAvailable: 'True',
  ControlPlaneConnectionAvailable: 'True',
  Progressing: 'False',
  Degraded: 'False',
  ClusterVersionProgressing: 'False',
}

const onAws: Readonly<Record<string, Expected>> = {
  ValidOIDCConfiguration: 'True',
  ValidAWSIdentityProvider: 'True',
  AWSDefaultSecurityGroupCreated: 'True',
}

/** What each condition of a healthy cluster says. */
export function expectedConditions({ spec }: HostedCluster): Readonly<Record<string, Expected>> {
  return {
    ...always,
    ExternalDNSReachable: hasExternalName(spec) ? 'True' : 'Unknown',
    ...(spec.platform.type === 'AWS' ? { ...onAws, ValidAWSKMSConfig: hasAwsKeys(spec) ? 'True' : 'Unknown' } : {}),
  }
}

/** `not_Available` where it should be True, `Degraded` where it should not. */
export function failureLabel(type: string, expected: Expected): string {
  return expected === 'True' ? `not_${type}` : type
}

/**
 * Conditions that differ from what they should be. One that nobody has written does not, nor one that only says so: that is a cluster of another
 * operator, a new one, or something that nobody looks after here.
 */
export function failuresOf(cluster: HostedCluster): readonly string[] {
  const expected = expectedConditions(cluster)
  return (cluster.status?.conditions ?? []).flatMap((condition) => {
    const { type, status } = condition
    const should = Object.hasOwn(expected, type) ? expected[type] : undefined
    return should === undefined || should === status || isUnreported(condition) ? [] : [failureLabel(type, should)]
  })
}

function hasExternalName({ services }: HostedCluster['spec']): boolean {
  const strategy = services.find(({ service }) => service === 'APIServer')?.servicePublishingStrategy
  return Boolean(strategy?.type === 'Route' ? strategy.route?.hostname : strategy?.loadBalancer?.hostname)
}

function hasAwsKeys({ secretEncryption }: HostedCluster['spec']): boolean {
  return secretEncryption?.kms?.provider === 'AWS'
}
