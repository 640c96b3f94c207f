import { ClusterVersion, type JsonObject } from '@windlass/api'
import { patch, type PatchAction } from '@windlass/kube'
import { desiredSource, type Desired } from './cluster-version.ts'

/** What it takes to make the version operator go to the desired release. */
export type Preparation =
  /** The channel must be set first; what it offers is known only after that. */
  | { readonly is: 'channel'; readonly action: PatchAction }
  | { readonly is: 'ready'; readonly action: PatchAction }
  | { readonly is: 'not available'; readonly why: string }
  | { readonly is: 'impossible'; readonly problem: string }

const ref = { name: 'version' }

/**
 * Neither `force` nor `spec.overrides` is ever touched.
 *
 * A release that is offered with a risk attached needs its image: the version operator refuses the bare version of it. One that is in both lists is
 * therefore taken from the one with risks.
 */
export function prepareUpdate(desired: Desired, { spec, status }: ClusterVersion): Preparation {
  const source = desiredSource(desired)
  if (source === undefined) return { is: 'impossible', problem: 'spec.desired names neither an image nor both a channel and a version' }
  if (source.by === 'image') return ready({ image: source.image, version: null }, `the image ${source.image} is wanted`)
  const { channel, version } = source
  if ((spec.channel ?? '') !== channel) {
    const action = patch(ClusterVersion, ref, { spec: { channel } }, `version ${version} is offered in the channel ${channel}`)
    return { is: 'channel', action }
  }
  const conditional = status?.conditionalUpdates?.find(({ release }) => release.version === version && release.image !== '')
  if (conditional !== undefined) return ready({ version, image: conditional.release.image }, `version ${version} is wanted`)
  const isAvailable = status?.availableUpdates?.some((release) => release.version === version && release.image !== '') === true
  if (isAvailable) return ready({ version, image: null }, `version ${version} is wanted`)
  return { is: 'not available', why: `the cluster version operator to offer ${version} in the channel ${channel}` }
}

function ready(desiredUpdate: JsonObject, reason: string): Preparation {
  return { is: 'ready', action: patch(ClusterVersion, ref, { spec: { desiredUpdate } }, reason) }
}

/** Whether the version operator offers this version, with risks or without. Right after a change of channel there is no list at all. */
export function isOffered({ status }: ClusterVersion, version: string): boolean {
  const offers = [...(status?.availableUpdates ?? []), ...(status?.conditionalUpdates ?? []).map(({ release }) => release)]
  return offers.some((release) => release.version === version)
}
