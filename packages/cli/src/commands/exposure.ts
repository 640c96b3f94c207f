import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../context.ts'
import { addFleetOptions, addWatchOptions, checkAt, namespaceOption, selectorOption, wideOutputOption } from '../views/options.ts'
import type { ExposureRequest } from '../views/show-exposure.ts'
import { examples } from './help.ts'

export function addExposure(program: Command, context: Context): void {
  const command = program
    .command('exposure')
    .summary('show which clusters are exposed to a vulnerability')
    .description(
      'Shows for every cluster whether versions may still run that have a vulnerability, by the versions that fix it: the first of each minor. An update that is ' +
        'asked for is no fix before it is completed; the evidence is shown. Ends with status 3 when a cluster is vulnerable, and with 1 when none is known to be but not all could be asked, or not about everything.',
    )
    .addOption(
      new Option('--fixed-in <versions>', 'versions that fix it, with commas between them: the first of each minor')
        .argParser(versions)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--summary', 'only how many clusters'))
    .addOption(selectorOption())
    .addOption(namespaceOption())
    .addOption(wideOutputOption())
  addFleetOptions(addWatchOptions(command))
  examples(command, [
    ['windlass exposure --fixed-in 4.20.3,4.19.19', 'who has neither'],
    ['windlass exposure --fixed-in 4.20.3,4.19.19 --summary --all-contexts', 'how many, everywhere'],
    ['windlass exposure --fixed-in 4.20.3 -o json', 'for programs'],
  ])
  command.action(async (flags: ExposureRequest) => {
    checkAt(command, flags)
    const { showExposure } = await import('../views/show-exposure.ts')
    await showExposure(context, flags)
  })
}

function versions(value: string, before: readonly string[] = []): readonly string[] {
  const given = value.split(',').map((text) => text.trim())
  if (given.every((text) => text !== '')) return [...before, ...given]
  throw new InvalidArgumentError('Versions have commas between them: 4.20.3,4.19.19.')
}
