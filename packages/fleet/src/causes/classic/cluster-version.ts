import { ClusterVersion } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { behind, type Cause, causeOf, linkTo, placeOf, type Trouble } from '../cause.ts'
import { objectingOperators, operatorCauses, type OperatorEvidence } from './operators.ts'

type Rule = (evidence: OperatorEvidence, now: Instant) => readonly Cause[]

/** All that apply; one that leaves nothing to say about the rest ends it. */
const rules: readonly { readonly rule: Rule; readonly ends?: true }[] = [
  { rule: mute, ends: true },
  { rule: forgetful, ends: true },
  { rule: invalid },
  { rule: refused },
  { rule: failing },
]

/** What keeps a cluster from the version that it is asked for: what its version operator says, and the operators behind that. */
export function versionCauses(evidence: OperatorEvidence, now: Instant): readonly Cause[] {
  const causes: Cause[] = []
  for (const { rule, ends } of rules) {
    const found = rule(evidence, now)
    causes.push(...found)
    if (ends === true && found.length > 0) return causes
  }
  return [...causes, ...operatorCauses(evidence, now)]
}

function mute({ clusterVersion }: OperatorEvidence): readonly Cause[] {
  if ((clusterVersion.status?.conditions ?? []).length > 0) return []
  const says = 'its version operator says nothing: it has no conditions, and nothing goes on while it has none'
  return [causeOf(broken(clusterVersion, says, { reason: 'NoConditions' }, versionOperatorRemedy))]
}

function forgetful({ clusterVersion }: OperatorEvidence): readonly Cause[] {
  if ((clusterVersion.status?.history ?? []).length > 0) return []
  const says = 'its version operator has no history: which version runs cannot be told'
  return [causeOf(broken(clusterVersion, says, { reason: 'NoHistory' }, versionOperatorRemedy))]
}

const versionOperatorRemedy = 'See whether the Pods in openshift-cluster-version run, and what they write.'

/** A version that is not on offer. When nobody could be asked what is on offer, that is why. */
function invalid({ clusterVersion }: OperatorEvidence): readonly Cause[] {
  const { conditions } = clusterVersion.status ?? {}
  const said = findCondition(conditions, 'Invalid')
  if (said?.status !== 'True') return []
  const retrieved = findCondition(conditions, 'RetrievedUpdates')
  if (retrieved?.status === 'False') return [causeOf(unknownUpdates(clusterVersion))]
  const { reason, message = '', lastTransitionTime: since } = said
  const remedy = 'Ask for a version that is on offer (oc adm upgrade lists them), or change the channel.'
  return [causeOf(broken(clusterVersion, `what it is asked for makes no sense: ${message}`, { reason, since }, remedy))]
}

/** The update service has not said what there is. */
export function unknownUpdates(clusterVersion: ClusterVersion): Trouble {
  const { reason, message = '', lastTransitionTime: since } = findCondition(clusterVersion.status?.conditions, 'RetrievedUpdates') ?? {}
  const says = `it cannot find out which updates there are: ${message}`
  return broken(clusterVersion, says, { reason, since }, 'Check the channel, the proxy and the way to the update service (spec.upstream).')
}

const remedies: Readonly<Record<string, string>> = {
  RetrievePayload: 'Check that the release image exists and that the pull secret of the cluster opens its registry.',
  VerifyPayloadVersion: 'Check that signatures of releases can be fetched; a mirror needs them too.',
  LoadPayload: 'The release image is damaged: ask for another one.',
  PreconditionChecks: 'Put right what the check names; force goes past it, at your own risk.',
}

/** A release that is asked for and not accepted. */
function refused({ clusterVersion, operators }: OperatorEvidence): readonly Cause[] {
  const said = findCondition(clusterVersion.status?.conditions, 'ReleaseAccepted')
  if (said === undefined || said.status === 'True') return []
  const { reason = '', message = '', lastTransitionTime: since } = said
  const place = placeOf(ClusterVersion, clusterVersion, 'guest')
  if (said.status === 'Unknown') return [causeOf({ weight: 'Working', links: [linkTo(place, message, { reason, since })] })]
  if (message.includes('"ClusterVersionUpgradeable"')) {
    const objections = upgradeTroubles(clusterVersion, operators)
    if (objections.length > 0) return objections.map((each) => causeOf(each))
  }
  return [causeOf(broken(clusterVersion, `the release is not accepted: ${message}`, { reason, since }, remedies[reason]))]
}

/** Who objects to the next minor: operators by name, and the cluster itself. */
export function upgradeTroubles(clusterVersion: ClusterVersion, operators: OperatorEvidence['operators']): readonly Trouble[] {
  const said = findCondition(clusterVersion.status?.conditions, 'Upgradeable')
  if (said?.status !== 'False') return []
  const { reason = '', message = '', lastTransitionTime: since } = said
  const link = linkTo(placeOf(ClusterVersion, clusterVersion, 'guest'), `it may not go to the next minor: ${message}`, { reason, since })
  const objecting = objectingOperators(operators)
  // The cluster repeats what operators say. What is its own comes with another reason.
  const ofOperators = new Set(objecting.map(({ links }) => links[0].reason))
  const isOnlyRepeated = objecting.length > 0 && (ofOperators.has(reason) || reason === 'MultipleReasons')
  const own: Trouble = {
    weight: 'Held',
    links: [link],
    remedy: 'Do what the message asks for. A patch of the same minor is allowed all the same.',
  }
  return [...(isOnlyRepeated ? [] : [own]), ...objecting.map((each) => behind(link, each))]
}

/** Reasons that name operators: these speak for themselves. */
const aboutOperators = /^ClusterOperators?[A-Z]|^SlowClusterOperator$/

function failing(evidence: OperatorEvidence, now: Instant): readonly Cause[] {
  const { clusterVersion } = evidence
  const said = findCondition(clusterVersion.status?.conditions, 'Failing')
  if (said?.status !== 'True') return []
  const { reason = '', message = '', lastTransitionTime: since } = said
  if (aboutOperators.test(reason) && operatorCauses(evidence, now).some(({ weight }) => weight === 'Broken')) return []
  const waiting = (clusterVersion.status?.history ?? [])[0]?.state === 'Partial' ? evidence.operators.length : 1
  const trouble = broken(
    clusterVersion,
    `its version operator has failed: ${message}`,
    { reason: reason === '' ? 'Failing' : reason, since },
    'Put right what the message names; the version operator tries again by itself.',
  )
  return [causeOf(trouble, waiting)]
}

function broken(
  clusterVersion: ClusterVersion,
  says: string,
  details: { readonly reason?: string | undefined; readonly since?: string | undefined },
  remedy: string | undefined,
): Trouble {
  const links: Trouble['links'] = [linkTo(placeOf(ClusterVersion, clusterVersion, 'guest'), says, details)]
  return { weight: 'Broken', links, ...(remedy === undefined ? {} : { remedy }) }
}
