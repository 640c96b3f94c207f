import type { Seen } from '../seen.ts'
import { fails, holds, type Outcome, withError } from './outcome.ts'

const supported: Readonly<Record<string, readonly string[]>> = {
  AWS: ['amd64', 'arm64'],
  Azure: ['amd64', 'arm64'],
  GCP: ['amd64', 'arm64'],
  Agent: ['amd64', 'arm64', 'ppc64le'],
  None: ['amd64', 'arm64'],
  KubeVirt: ['amd64', 's390x'],
  PowerVS: ['ppc64le'],
}

const usual = ['amd64']

/** A platform that does not have such machines will say so itself; a payload without images for them cannot be rolled out at all. */
export function isArchValid({ pool, cluster, key }: Seen): Outcome {
  const { arch = 'amd64', platform } = pool.spec
  const payloadArch = cluster.status?.payloadArch ?? ''
  if (payloadArch !== 'Multi' && payloadArch.toLowerCase() !== arch) {
    const message = `NodePool CPU arch, ${arch}, is not supported by the HostedCluster payload type, ${payloadArch}; either change the NodePool CPU arch or use a multi-arch release image`
    return fails('InvalidArchPlatform', message, withError(`NodePool ${key}: ${message}`))
  }
  if (!(supported[platform.type] ?? usual).includes(arch)) {
    return fails('InvalidArchPlatform', `CPU arch ${arch} is not supported for platform: ${platform.type}, use 'amd64' instead`)
  }
  return holds()
}
