import { readFileSync } from 'node:fs'
import type { Clock } from '@windlass/core'
import type { IgnitionService } from '@windlass/hosted'
import type { Log, Runnable } from '@windlass/kube'
import type { OperatorFlags } from '../commands/operator.ts'
import { Failure, fileProblem } from '../failures.ts'

type MachineFlags = Pick<OperatorFlags, 'host' | 'ignitionPort' | 'ignitionCertificate' | 'ignitionKey'>

/** What serves machines of node pools their configuration, and what the controllers of node pools must know of it. */
export interface MachinePort {
  readonly server: Runnable
  readonly ignition: IgnitionService
}

/**
 * The port for machines; undefined when nobody asks for one.
 *
 * Errors: a `Failure` when its certificate or key is missing.
 */
export async function machinePort(flags: MachineFlags, clock: Clock, log: Log): Promise<MachinePort | undefined> {
  const { host, ignitionPort: port, ignitionCertificate, ignitionKey } = flags
  if (port === undefined) return undefined
  if (ignitionCertificate === undefined || ignitionKey === undefined) {
    throw new Failure(
      'machines are served over TLS only: with --ignition-port, say --ignition-certificate and --ignition-key too. What signed the certificate must be in Secret ignition-server-ca-cert of each control plane',
    )
  }
  const { ignitionServer, IgnitionService } = await import('@windlass/hosted')
  const ignition = new IgnitionService()
  const [certificate, key] = [read(ignitionCertificate), read(ignitionKey)]
  return { ignition, server: ignitionServer({ ignition, clock, log, certificate, key, port, host }) }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
}
