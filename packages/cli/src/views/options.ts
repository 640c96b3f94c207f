import { defaultSkewPolicy, defaultSkewSource, parseTime, SkewPolicy, SkewSource, tryParseDuration } from '@windlass/core'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { filePath, folderPath } from '../commands/paths.ts'
import { outputFormats, wideOutputFormats } from './output-formats.ts'

/** Which cluster to ask, as commander hands it over. */
export interface ClusterFlags {
  readonly kubeconfig?: string
  readonly context?: string
}

/** The options of every command that looks at a cluster. */
export function addClusterOptions(command: Command): Command {
  return command
    .addOption(new Option('--kubeconfig <file>', 'how to reach the cluster (default: $KUBECONFIG, or ~/.kube/config)').argParser(filePath))
    .addOption(new Option('--context <name>', 'context of the kubeconfig, instead of its current one'))
}

export function namespaceOption(): Option {
  return new Option('-n, --namespace <name>', 'namespace of the hosted cluster (default: looks in all of them)')
}

/** What nodes are judged by, as commander hands it over. */
export interface SkewFlags {
  readonly policy: SkewPolicy
  readonly source: SkewSource
}

/** The options of every command that judges the versions of nodes. The operator has the same, as --skew-policy and --skew-source. */
export function addSkewOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--policy <name>', 'how many minors nodes may be behind').choices(Object.values(SkewPolicy)).default(defaultSkewPolicy),
    )
    .addOption(
      new Option('--source <name>', 'whose word counts about the version that nodes are held against')
        .choices(Object.values(SkewSource))
        .default(defaultSkewSource),
    )
}

export function outputOption(): Option {
  return new Option('-o, --output <format>', 'a table for people, json or yaml for programs').choices(outputFormats).default('table')
}

export function wideOutputOption(): Option {
  return new Option('-o, --output <format>', 'a table for people, with more columns if wide; json or yaml for programs')
    .choices(wideOutputFormats)
    .default('table')
}

/** The options of every command that looks at a fleet: clusters of one Kubernetes API, or of several. */
export function addFleetOptions(command: Command): Command {
  return addMemberOptions(command)
    .addOption(
      new Option('--from <folder>', 'objects from YAML files instead of clusters')
        .argParser(folderPath)
        .conflicts(['kubeconfig', 'context', 'allContexts']),
    )
    .addOption(atOption())
    .addOption(stalledAfterOption())
}

/** Which Kubernetes APIs to ask. */
export function addMemberOptions(command: Command): Command {
  return command
    .addOption(new Option('--kubeconfig <file>', 'how to reach the clusters (default: $KUBECONFIG, or ~/.kube/config)').argParser(filePath))
    .addOption(
      new Option('--context <names>', 'contexts of the kubeconfig, with commas between them or one by one, instead of its current one')
        .argParser(contextNames)
        .conflicts('allContexts'),
    )
    .addOption(new Option('--all-contexts', 'every context of the kubeconfig'))
}

export function stalledAfterOption(): Option {
  return new Option('--stalled-after <time>', 'how long an update may take before it has stalled')
    .default(hour, '1h')
    .argParser(parseLength)
}

/** As commander hands them over. */
export interface WatchFlags {
  readonly watch?: true
  /** Every how many milliseconds. */
  readonly interval: number
}

/** `-w` with how often to look. */
export function addWatchOptions(command: Command): Command {
  return command
    .addOption(new Option('-w, --watch', 'go on until Ctrl-C, always drawn in the same place'))
    .addOption(new Option('--interval <time>', 'how often to look with --watch').default(5000, '5s').argParser(parseInterval))
}

export function atOption(): Option {
  return new Option('--at <time>', 'the moment of --from (default: the latest that is in the files)').argParser(parseMoment)
}

/** A moment means something only where nothing moves. */
export function checkAt(command: Command, { at, from }: { readonly at?: number; readonly from?: string }): void {
  if (at !== undefined && from === undefined) command.error("error: option '--at <time>' is for '--from <folder>'")
}

export function selectorOption(): Option {
  return new Option('-l, --selector <labels>', 'only clusters with these labels, as for kubectl: env=prod,tier in (a,b)')
}

const hour = 3_600_000

function contextNames(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '')) return [...before, ...names]
  throw new InvalidArgumentError('Names have commas between them: a,b.')
}

export function parseInterval(value: string): number {
  const parsed = tryParseDuration(value)
  if (parsed !== undefined && parsed >= 1000) return parsed
  throw new InvalidArgumentError('A length of time of a second or more, with its unit: 5s, 1m.')
}

export function parseLength(value: string): number {
  const parsed = tryParseDuration(value)
  if (parsed !== undefined && parsed > 0) return parsed
  throw new InvalidArgumentError('A length of time has a number and a unit: 90s, 1h30m.')
}

export function parseMoment(value: string): number {
  const parsed = parseTime(value)
  if (parsed !== undefined) return parsed
  throw new InvalidArgumentError('A moment is written like 2026-01-31T12:00:00Z.')
}
