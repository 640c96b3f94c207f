import { X509Certificate } from 'node:crypto'
import { ConfigMap } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { ObservedHostedCluster } from './observed.ts'
import { asExpected, isNot } from './verdict.ts'
import type { Verdict } from './verdict.ts'

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The condition ValidProxyConfiguration: whether the authorities that a proxy needs can be trusted today. */
export function validProxyConfiguration({ cluster, objects }: ObservedHostedCluster, now: Instant): Verdict {
  const name = cluster.spec.configuration?.proxy?.trustedCA?.name
  if (!name) return asExpected('No proxy CA bundle configured')
  const { namespace = '' } = cluster.metadata
  const bundle = objects.find(ConfigMap, { namespace, name })?.data?.['ca-bundle.crt']
  const problem = bundle === undefined ? 'it has no ca-bundle.crt' : bundleProblem(bundle, now)
  if (problem === undefined) return asExpected('Proxy CA bundle is valid')
  return isNot('ProxyCABundleInvalid', `Proxy CA bundle in ConfigMap ${namespace}/${name} is invalid: ${problem}`)
}

function bundleProblem(bundle: string, now: Instant): string | undefined {
  const certificates = bundle.match(certificate) ?? []
  if (certificates.length === 0) return 'there is no certificate in it'
  for (const [index, text] of certificates.entries()) {
    let parsed: X509Certificate
    try {
      parsed = new X509Certificate(text)
    } catch {
      return `certificate ${index + 1} cannot be read`
    }
    const subject = parsed.subject.replaceAll('\n', ', ')
    if (parsed.validFromDate.getTime() > now) return `certificate ${subject} is not yet valid`
    if (parsed.validToDate.getTime() < now) return `certificate ${subject} is no longer valid`
  }
  return undefined
}
