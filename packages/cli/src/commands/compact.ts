import { type Command, Option } from 'commander'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { examples } from './help.ts'
import { defaultDataFolder, filePath } from './paths.ts'

const defaultKubeconfig = join(defaultDataFolder, 'kubeconfig')

export function addCompact(program: Command, { output }: Context): void {
  const command = program
    .command('compact')
    .summary('make a running server forget the past')
    .description(
      'Makes a running embedded server forget every change up to now. Objects stay as they are; ' +
        'watches and lists that start from an older revision are told to start over.',
    )
    .addOption(
      new Option('--kubeconfig <file>', `how to reach the server (default: $KUBECONFIG, or ${defaultKubeconfig})`).argParser(filePath),
    )
  examples(command, [
    ['windlass compact', 'the server of this folder'],
    ['windlass compact --kubeconfig test.kubeconfig', 'another one'],
  ])
  command.action(async (flags: { readonly kubeconfig?: string }) => {
    const { compact } = await import('../compaction.ts')
    // An empty variable is as good as none, as it is to kubectl.
    const kubeconfig = flags.kubeconfig ?? (process.env['KUBECONFIG'] || defaultKubeconfig)
    output.print(`compacted: history starts at revision ${await compact(kubeconfig)}`)
  })
}
