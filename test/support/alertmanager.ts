import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { findAlertmanager } from '../../scripts/tools/monitoring.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { freePort } from './free-port.ts'

/** A silence as Alertmanager itself tells it. */
export interface KnownSilence {
  readonly id: string
  readonly comment: string
  readonly createdBy: string
  readonly startsAt: string
  readonly endsAt: string
  readonly updatedAt: string
  readonly status: { readonly state: 'active' | 'pending' | 'expired' }
  readonly matchers: readonly { readonly name: string; readonly value: string; readonly isRegex: boolean; readonly isEqual: boolean }[]
}

export interface RunningAlertmanager extends Daemon {
  silences(): Promise<readonly KnownSilence[]>
  /** What somebody else silences. Gives its id. */
  silence(silence: {
    readonly createdBy: string
    readonly comment: string
    readonly startsAt: string
    readonly endsAt: string
  }): Promise<string>
  /** The same data again, in a new process on the same port. */
  restart(): Promise<RunningAlertmanager>
}

/** A real Alertmanager, on 127.0.0.1, that has nobody to notify. */
export async function startAlertmanager(folder: string, port?: number): Promise<RunningAlertmanager> {
  const { path: binary, folder: home } = await findAlertmanager()
  mkdirSync(folder, { recursive: true })
  const configFile = join(folder, 'alertmanager.yml')
  writeFileSync(configFile, JSON.stringify({ route: { receiver: 'nobody' }, receivers: [{ name: 'nobody' }] }))
  const actual = port ?? (await freePort())
  const daemon = await startDaemon({
    name: 'alertmanager',
    binary,
    args: [
      `--config.file=${configFile}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${actual}`,
      '--cluster.listen-address=',
      '--log.level=warn',
    ],
    port: actual,
    ...(home === undefined ? {} : { folder: home }),
    readyPath: '/-/ready',
  })
  const api = `${daemon.url}/api/v2/silences`
  return {
    ...daemon,
    async silences() {
      const { body } = await request(api)
      return (await body.json()) as readonly KnownSilence[]
    },
    async silence(silence) {
      const matchers = [{ name: 'alertname', value: 'Theirs', isRegex: false, isEqual: true }]
      const headers = { 'content-type': 'application/json' }
      const { body } = await request(api, { method: 'POST', headers, body: JSON.stringify({ ...silence, matchers }) })
      return ((await body.json()) as { readonly silenceID: string }).silenceID
    },
    async restart() {
      await daemon.stop()
      return startAlertmanager(folder, actual)
    },
  }
}
