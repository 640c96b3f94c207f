import { type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { version } from '../version.ts'
import { examples } from './help.ts'

export function addVersion(program: Command, { output }: Context): void {
  const command = program
    .command('version')
    .summary('print the version')
    .description('Prints the version of Windlass and of what it runs on.')
    .addOption(new Option('-o, --output <format>', 'text for people, json for programs').choices(['text', 'json']).default('text'))
  examples(command, [
    ['windlass version', 'for people'],
    ['windlass version -o json', 'for programs'],
  ])
  command.action((flags: { readonly output: 'text' | 'json' }) => {
    const facts = { version, node: process.versions.node, platform: `${process.platform}/${process.arch}` }
    output.print(flags.output === 'json' ? JSON.stringify(facts) : `windlass ${version} (Node ${facts.node}, ${facts.platform})`)
  })
}
