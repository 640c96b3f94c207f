import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { findPrometheus } from '../../scripts/tools/monitoring.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** An alert that fires because the test says so. */
export interface DemandedAlert {
  readonly alertname: string
  readonly labels: Readonly<Record<string, string>>
}

export interface RunningPrometheus extends Daemon {
  /** From now on these alerts fire, and no others. Resolves when that is so. */
  fire(...alerts: readonly DemandedAlert[]): Promise<void>
  /** Labels of each series that a query finds now. */
  query(promql: string): Promise<readonly Readonly<Record<string, string>>[]>
}

export interface PrometheusOptions {
  readonly folder: string
  /** `127.0.0.1:8383`: where metrics are scraped. */
  readonly targets?: readonly string[]
  /** Rules that are always there, as Prometheus writes them. */
  readonly rules?: readonly object[]
  /** How often it scrapes and looks at its rules; a target that needs longer is down. */
  readonly interval?: string
}

/** Far shorter than anybody has them: tests do not want to wait. */
const usualInterval = '200ms'

/** A real Prometheus, on 127.0.0.1. */
export async function startPrometheus({
  folder,
  targets = [],
  rules = [],
  interval = usualInterval,
}: PrometheusOptions): Promise<RunningPrometheus> {
  const binary = await findPrometheus()
  mkdirSync(folder, { recursive: true })
  const ruleFile = join(folder, 'rules.yml')
  const write = (alerts: readonly DemandedAlert[]): void => {
    const demanded = alerts.map(({ alertname, labels }) => ({ alert: alertname, expr: 'vector(1)', labels }))
    // JSON is YAML too.
    writeFileSync(
      ruleFile,
      JSON.stringify({
        groups: [
          { name: 'demanded', rules: demanded },
          { name: 'always', rules },
        ],
      }),
    )
  }
  write([])
  const configFile = join(folder, 'prometheus.yml')
  const scrapes = targets.length === 0 ? [] : [{ job_name: 'test', static_configs: [{ targets }] }]
  const global = { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval }
  writeFileSync(configFile, JSON.stringify({ global, rule_files: [ruleFile], scrape_configs: scrapes }))
  const port = await freePort()
  const daemon = await startDaemon({
    name: 'prometheus',
    binary,
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-lifecycle',
      '--log.level=warn',
    ],
    port,
    readyPath: '/-/ready',
  })
  const query: RunningPrometheus['query'] = async (promql) => {
    const { body } = await request(`${daemon.url}/api/v1/query?query=${encodeURIComponent(promql)}`)
    const { data } = (await body.json()) as Answer
    return data.result.map(({ metric }) => metric)
  }
  return {
    ...daemon,
    query,
    async fire(...alerts) {
      write(alerts)
      const { body } = await request(`${daemon.url}/-/reload`, { method: 'POST' })
      await body.dump()
      const wanted = alerts.map(({ alertname }) => alertname).toSorted()
      await until(`${wanted.join(', ') || 'no alert'} to fire`, async () => {
        const firing = await query('ALERTS{alertstate="firing"}')
        const names = firing
          .map(({ alertname = '' }) => alertname)
          .filter((name) => !rules.some((rule) => 'alert' in rule && rule.alert === name))
        return JSON.stringify(names.toSorted()) === JSON.stringify(wanted)
      })
    },
  }
}

interface Answer {
  readonly data: { readonly result: readonly { readonly metric: Readonly<Record<string, string>> }[] }
}
