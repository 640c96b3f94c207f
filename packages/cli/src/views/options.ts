import { type Command, Option } from 'commander'
import { filePath } from '../commands/paths.ts'
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

export function outputOption(): Option {
  return new Option('-o, --output <format>', 'a table for people, json or yaml for programs').choices(outputFormats).default('table')
}

export function wideOutputOption(): Option {
  return new Option('-o, --output <format>', 'a table for people, with more columns if wide; json or yaml for programs')
    .choices(wideOutputFormats)
    .default('table')
}
