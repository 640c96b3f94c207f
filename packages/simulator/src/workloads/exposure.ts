import type { KubernetesObject, Namespace } from '@windlass/api'
import type { Duration } from '@windlass/core'
import { keyOf, refOf } from '@windlass/kube'
import { failuresOf, type ParsedFailures, slowness } from '../failures/index.ts'
import { durationOf, type Step } from '../profile/index.ts'
import type { Settings } from './settings.ts'

/** The name that an object should be found by; ExternalDNS reads it from Services and Routes. */
export const hostnameAnnotation = 'external-dns.alpha.kubernetes.io/hostname'

/** The name that can be looked up by now. There is no real DNS here: whoever wants to know whether a name is known looks for this. */
export const dnsAnnotation = 'simulator.windlass.dev/dns'

/** What goes wrong with an object that is no Pod, and how long things take for it. */
export function circumstances(object: KubernetesObject, namespace: Namespace | undefined, { profile, planned }: Settings) {
  const { failures, problems }: ParsedFailures = failuresOf(object, [], { namespace, planned })
  const identity = keyOf(refOf(object))
  return { failures, problems, takes: (step: Step): Duration => durationOf(profile, step, identity) * slowness(failures) }
}

/** The name to be published next, if the one that is known is not the one that is wanted. */
export function unpublished({ metadata: { annotations = {} } }: KubernetesObject): string | undefined {
  const wanted = annotations[hostnameAnnotation]
  return wanted === annotations[dnsAnnotation] ? undefined : wanted
}
