import { type Command, InvalidArgumentError, Option } from 'commander'

/** The options of every command that simulates, as commander hands them over. */
export interface SimulationFlags {
  readonly speed: number
  readonly seed: string
  /** Of whoever serves machines their configuration. */
  readonly ignitionAt?: Place
}

export interface Place {
  readonly host: string
  readonly port: number
}

export function addSimulationOptions(command: Command, usualSpeed: number): Command {
  return command
    .addOption(
      new Option('--speed <factor>', 'how much faster than real clusters simulated ones are').default(usualSpeed).argParser(parseSpeed),
    )
    .addOption(
      new Option('--seed <text>', 'how long things take is chance, and the same for the same seed').default('1').argParser(nonEmpty),
    )
    .addOption(
      new Option(
        '--ignition-at <host:port>',
        'where machines fetch their configuration, instead of where names lead: the --ignition-port of windlass operator',
      ).argParser(parsePlace),
    )
}

export function parseSpeed(value: string): number {
  const speed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  if (speed > 0) return speed
  throw new InvalidArgumentError('A factor is a number above 0: 1 is as fast as real clusters, 20 is twenty times as fast.')
}

function parsePlace(value: string): Place {
  const [, host = '', port = ''] = /^([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(value) ?? []
  if (host !== '' && Number(port) > 0 && Number(port) <= 65_535) return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }
  throw new InvalidArgumentError('A host and a port: 127.0.0.1:8443.')
}

function nonEmpty(value: string): string {
  if (value !== '') return value
  throw new InvalidArgumentError('It must not be empty.')
}
