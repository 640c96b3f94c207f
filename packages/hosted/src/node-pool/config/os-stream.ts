import type { NodePool } from '@windlass/api'
import { normalisedMinor, parseVersion, type Version } from '@windlass/core'

export type OsStream = 'rhel-9' | 'rhel-10'

const firstMinorOfTen = normalisedMinor(parseVersion('5.0.0'))

/** The operating system that nodes of a release have unless told. Where containers are run by runc, the old one: the new one has no runc. */
export function releaseStream(version: Version, usesRunc: boolean): OsStream {
  return normalisedMinor(version) >= firstMinorOfTen && !usesRunc ? 'rhel-10' : 'rhel-9'
}

/** What counts in the hash: empty for the usual one, so that saying it changes nothing. */
export function hashedStream({ spec }: NodePool, version: Version, usesRunc: boolean): string {
  const name = spec.osImageStream?.name
  return name === undefined || name === releaseStream(version, usesRunc) ? '' : name
}

/** Why a pool cannot have the operating system that it asks for. */
export function streamProblem({ spec }: NodePool, version: Version, usesRunc: boolean): string | undefined {
  if (spec.osImageStream?.name !== 'rhel-10') return undefined
  if (normalisedMinor(version) < firstMinorOfTen)
    return `osImageStream rhel-10 needs OpenShift 5.0 or later, and the release is ${version.text}`
  return usesRunc ? 'osImageStream rhel-10 has no runc, which a ContainerRuntimeConfig asks for; remove defaultRuntime: runc' : undefined
}

/** The stream of the image that machines start from: what is asked for, else what most nodes have, else that of the release. */
export function bootStream({ spec, status }: NodePool, version: Version, usesRunc: boolean, areStreamsEnabled: boolean): OsStream {
  return spec.osImageStream?.name ?? status?.osImageStream?.name ?? (areStreamsEnabled ? releaseStream(version, usesRunc) : 'rhel-9')
}
