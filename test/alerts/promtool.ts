import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, type Outcome } from '../../scripts/tools/command.ts'
import { findPromtool } from '../../scripts/tools/monitoring.ts'
import type { AlertCase } from './cases.ts'
import { type Group, type Rule, saidOf, shippedGroups, shippedRules } from './rules.ts'

/** Writes rules to a file, as Prometheus reads them. JSON is YAML too. */
export function writeRules(folder: string, groups: readonly Group[] = shippedGroups()): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'rules.yml')
  writeFileSync(file, JSON.stringify({ groups }))
  return file
}

export async function checkRules(folder: string): Promise<Outcome> {
  return command(await findPromtool(), ['check', 'rules', writeRules(folder)])
}

/** Lets promtool play the cases, each with its own rule alone: with all of them a case of some hours takes a second. */
export async function testRules(folder: string, cases: readonly AlertCase[]): Promise<Outcome> {
  const byName = new Map(shippedRules().map((rule) => [rule.alert, rule]))
  const files = [...Map.groupBy(cases, ({ alert }) => alert)].map(([alert, own]) => {
    const rule = byName.get(alert)
    if (rule === undefined) throw new Error(`there is no alert ${alert}`)
    const rules = writeRules(join(folder, alert), [{ name: alert, rules: [rule] }])
    const file = join(folder, alert, 'rules.test.yml')
    const tests = own.map((each) => testOf(rule, each))
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }))
    return file
  })
  return command(await findPromtool(), ['test', 'rules', ...files], folder)
}

function testOf(rule: Rule, { alert, series, fires, silentAt, labels }: AlertCase): object {
  const expected = { exp_labels: { ...rule.labels, ...labels }, exp_annotations: saidOf(rule, labels) }
  const at = (minute: number, alerts: readonly object[]) => ({ eval_time: `${minute}m`, alertname: alert, exp_alerts: alerts })
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [...fires.map((minute) => at(minute, [expected])), ...silentAt.map((minute) => at(minute, []))],
  }
}

/** What promtool finds wrong with metrics that somebody exposes: their text, and their names. */
export async function checkMetrics(text: string): Promise<readonly string[]> {
  const child = spawn(await findPromtool(), ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  child.stdin.end(text)
  await once(child, 'close')
  return said.split('\n').filter((line) => line !== '')
}
