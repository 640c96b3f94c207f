import { readFileSync } from 'node:fs'
import { systemRandom } from '@windlass/core'
import { pageFolder } from '@windlass/dashboard'
import { createDashboard, createFleet, type DashboardServer, explain, type Fleet, isThisMachine, type Tls } from '@windlass/fleet'
import { connector } from '@windlass/kube'
import type { DashboardFlags } from '../commands/dashboard.ts'
import { usualPagePort } from '../commands/server-options.ts'
import type { Context } from '../context.ts'
import { Failure, fileProblem } from '../failures.ts'
import { createLog } from '../log.ts'
import { untilStopped } from '../stop-signals.ts'
import { version } from '../version.ts'
import { membersOf } from './members.ts'

/** Serves the web page of a fleet until a signal asks for its end. Says where it is when it can be opened; members may still be silent then. */
export function runDashboard(context: Context, flags: DashboardFlags): Promise<void> {
  return untilStopped(context.process, context.clock, (signal) => run(context, flags, signal))
}

async function run({ output, clock }: Context, flags: DashboardFlags, signal: AbortSignal): Promise<void> {
  const tls = tlsOf(flags)
  if (tls === undefined && !isThisMachine(flags.host)) {
    throw new Failure(
      `${flags.host} can be reached from other machines, and without TLS tokens could be read on the way: give --tls-cert and --tls-key, or leave --host out`,
    )
  }
  const log = createLog(flags.logLevel)
  const members = await membersOf(flags, { clock, log })
  const fleet = createFleet({
    members: members.map(({ source }) => source),
    clock,
    random: systemRandom,
    log,
    threshold: flags.stalledAfter,
  })
  const connect = connector({ clock, random: systemRandom, log, userAgent: `windlass/${version}`, fieldManager: 'windlass' })
  const dashboard = createDashboard({
    fleet,
    explain: async (id) => {
      const evidence = fleet.evidence(id)
      return evidence === undefined ? undefined : explain(evidence, { clock, connect, threshold: flags.stalledAfter })
    },
    doors: members.map(({ door }) => door),
    page: pageFolder(),
    version,
    allowsActions: flags.allowActions === true,
    clock,
    random: systemRandom,
    log,
    ...(tls === undefined ? {} : { tls }),
    onLinkUsed: () => output.print(`The link was used. The next one: ${server.link}`),
  })
  const server = await dashboard.listen({ host: flags.host, ports: flags.port === undefined ? [usualPagePort, 0] : [flags.port] })
  output.print(
    announcement(
      server,
      flags,
      members.map(({ source }) => source.name),
    ),
  )
  await serveUntil(signal, fleet, server)
}

async function serveUntil(signal: AbortSignal, fleet: Fleet, server: DashboardServer): Promise<void> {
  try {
    await fleet.run(signal)
  } finally {
    await server.close()
  }
}

function announcement({ url, link, port }: DashboardServer, flags: DashboardFlags, members: readonly string[]): string {
  const isElsewhere = flags.port === undefined && port !== usualPagePort
  return [
    `windlass dashboard is at ${url}, for ${members.join(', ')}`,
    ...(isElsewhere ? [`(port ${usualPagePort} is in use, so it took a free one)`] : []),
    '',
    'For you, once, with the rights of the kubeconfig:',
    `  ${link}`,
    `Others sign in with a token of a cluster${flags.clientCa === undefined ? '' : ', or with a client certificate'}, and see what they may there.`,
    flags.allowActions === true
      ? 'What people change by the page is changed with their own rights.'
      : 'The page only shows; with --allow-actions it also changes what people may change.',
    '',
    'Ctrl-C ends it.',
  ].join('\n')
}

function tlsOf({ tlsCert, tlsKey, clientCa }: DashboardFlags): Tls | undefined {
  if (tlsCert === undefined && tlsKey === undefined) {
    if (clientCa !== undefined) throw new Failure('--client-ca is for TLS: give --tls-cert and --tls-key too')
    return undefined
  }
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Failure('--tls-cert and --tls-key belong together: one is of no use without the other')
  return {
    certificate: pem(tlsCert, '--tls-cert'),
    key: pem(tlsKey, '--tls-key'),
    ...(clientCa === undefined ? {} : { clientAuthority: pem(clientCa, '--client-ca') }),
  }
}

function pem(file: string, option: string): string {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`the file ${file} of ${option} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
  if (content.includes('-----BEGIN ')) return content
  throw new Failure(`the file ${file} of ${option} is not in PEM: it should begin with -----BEGIN`)
}
