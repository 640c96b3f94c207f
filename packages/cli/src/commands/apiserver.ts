import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { examples } from './help.ts'
import { addServerOptions, type ServerFlags, usualPort } from './server-options.ts'

export function addApiserver(program: Command, context: Context): void {
  const command = program
    .command('apiserver')
    .summary('run the embedded Kubernetes API server alone')
    .description(
      'Runs the embedded Kubernetes API server alone, with no kinds beyond those of Kubernetes and LogicalCluster. ' +
        'When it answers, it writes a kubeconfig and prints one line.',
    )
  addServerOptions(command, String(usualPort))
  examples(command, [
    ['windlass apiserver', `data in .windlass/data, on port ${usualPort}`],
    ['windlass apiserver --memory --port 0 --kubeconfig test.kubeconfig', 'for a test: any port, nothing kept'],
    ['kubectl --kubeconfig .windlass/data/kubeconfig get namespaces', 'from another terminal'],
  ])
  command.action(async (flags: ServerFlags) => {
    const [{ serve }, { generatedDefinition }] = await Promise.all([import('../serve.ts'), import('../definitions.ts')])
    await serve(context, flags, {
      definitions: [generatedDefinition('logicalclusters.windlass.dev')],
      ports: [flags.port ?? usualPort],
      announce: ({ url, kubeconfig }) => `windlass apiserver is ready at ${url}, kubeconfig in ${kubeconfig}`,
    })
  })
}
