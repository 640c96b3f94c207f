import { readFileSync } from 'node:fs'
import type { Clock, Random } from '@windlass/core'
import type { IgnitionServer, IgnitionServerOptions, IgnitionService } from '@windlass/hosted'
import type { Client, Log } from '@windlass/kube'
import type { OperatorFlags } from '../commands/operator.ts'
import { Failure, fileProblem } from '../failures.ts'

type MachineFlags = Pick<
  OperatorFlags,
  'host' | 'ignitionPort' | 'ignitionCertificate' | 'ignitionKey' | 'ignitionAuthority' | 'leaseNamespace'
>

/** What serves machines of node pools their configuration, and what controllers must know of it. */
export interface MachinePort {
  readonly server: IgnitionServer
  readonly ignition: IgnitionService
  /** PEM of what machines are told to trust; undefined when somebody else tells them. */
  readonly authority: string | undefined
}

export interface PortParts {
  readonly client: () => Promise<Client>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/**
 * The port for machines; undefined when nobody asks for one. Without a certificate it has an authority of its own, which is kept in the cluster.
 *
 * Errors: a `Failure` when only one half of certificate and key is given, or a file cannot be read.
 */
export async function machinePort(flags: MachineFlags, parts: PortParts): Promise<MachinePort | undefined> {
  const { host, ignitionPort: port, ignitionAuthority: authority, ignitionCertificate: certificate, ignitionKey: key } = flags
  if (port === undefined) return undefined
  if ((certificate === undefined) !== (key === undefined)) {
    throw new Failure(
      'machines are served over TLS: say both --ignition-certificate and --ignition-key, or neither to have certificates made by an authority of our own',
    )
  }
  if (certificate === undefined || key === undefined) {
    if (authority !== undefined)
      throw new Failure('--ignition-authority is what has signed --ignition-certificate: say that too, or neither')
    return ownPort({ ...parts, client: await parts.client(), namespace: flags.leaseNamespace, host, port })
  }
  const given = { certificate: read(certificate), key: read(key) }
  return open({ ...parts, ...given, host, port }, authority === undefined ? undefined : read(authority))
}

export interface OwnPort extends Omit<PortParts, 'client'> {
  readonly client: Client
  /** Where the Secret of the authority is. */
  readonly namespace: string
  readonly host: string
  readonly port: number
}

/** A port whose certificates come from an authority of the management cluster. */
export async function ownPort(parts: OwnPort): Promise<MachinePort> {
  const { ignitionAuthority } = await import('./ignition-authority.ts')
  const { certificate: authority, certify } = await ignitionAuthority(parts)
  const usual = certify(parts.host) ?? certify('localhost')
  if (usual === undefined) throw new Failure(`no certificate can be made for ${parts.host}: choose another address with --host`)
  return open({ ...parts, ...usual, certify }, authority)
}

async function open(options: Omit<IgnitionServerOptions, 'ignition'>, authority: string | undefined): Promise<MachinePort> {
  const { ignitionServer, IgnitionService } = await import('@windlass/hosted')
  const ignition = new IgnitionService()
  return { ignition, authority, server: ignitionServer({ ...options, ignition }) }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
}
