import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { shellWord } from '../output.ts'
import type { Ready } from '../serve.ts'
import { version } from '../version.ts'
import { examples } from './help.ts'
import { addServerOptions, type ServerFlags, usualPort } from './server-options.ts'

export function addUp(program: Command, context: Context): void {
  const command = program
    .command('up')
    .summary('run Windlass on this machine')
    .description(
      'Runs Windlass on this machine: a Kubernetes API that knows every kind of an OpenShift upgrade. ' +
        'Everything is kept in .windlass in the current folder; the next start goes on with it.',
    )
  addServerOptions(command, `${usualPort}, or a free one when that is in use`)
  examples(command, [
    ['windlass up', 'in this folder'],
    ['windlass up --memory', 'just to look: nothing is kept'],
    ['windlass up --data-dir ~/rehearsal --port 7443', 'somewhere else'],
  ])
  command.action(async (flags: ServerFlags) => {
    const [{ serve }, { allDefinitions }] = await Promise.all([import('../serve.ts'), import('../definitions.ts')])
    await serve(context, flags, {
      definitions: await allDefinitions(),
      ports: flags.port === undefined ? [usualPort, 0] : [flags.port],
      announce: (ready) => welcome(ready, flags),
    })
  })
}

/** What somebody who has just started it wants to know. */
export function welcome({ url, port, kubeconfig, dataFolder }: Ready, flags: Pick<ServerFlags, 'port'>): string {
  const isElsewhere = flags.port === undefined && port !== usualPort
  return [
    `Windlass ${version} is up at ${url}`,
    ...(isElsewhere ? [`(port ${usualPort} is in use, so it took a free one)`] : []),
    '',
    `  data        ${dataFolder ?? 'in memory: gone when this ends'}`,
    `  kubeconfig  ${kubeconfig}`,
    '',
    'Next, in another terminal:',
    `  export KUBECONFIG=${shellWord(kubeconfig)}`,
    '  kubectl get hostedclusters -A',
    '',
    'Ctrl-C ends it.',
  ].join('\n')
}
