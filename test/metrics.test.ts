import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { shippedRules } from './alerts/rules.ts'
import { deployFolder } from './deploy/manifests.ts'
import { knownMetrics, ofProcesses } from './metrics/known.ts'

const documents = join(import.meta.dirname, '../docs')

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
}

/** Words of a query that are names of metrics: what has an underscore and is neither a function nor a label. */
function metricsIn(query: string): readonly string[] {
  const bare = query
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(?:by|on|without) \([^)]*\)/g, '')
  return (bare.match(/\b[a-z]\w*_\w+\b/g) ?? []).filter((word) => !functions.has(word))
}

const functions: ReadonlySet<string> = new Set([
  'absent_over_time',
  'avg_over_time',
  'count_values',
  'histogram_quantile',
  'label_replace',
  'min_over_time',
])

describe('metrics', async () => {
  const known = await knownMetrics()
  const names: ReadonlySet<string> = new Set([
    ...Object.values(known).flatMap((metrics) => metrics.map(({ name }) => name)),
    ...ofProcesses,
  ])
  const isKnown = (name: string): boolean => names.has(name) || names.has(name.replace(/_(?:bucket|count|sum)$/, ''))

  it('are in the documents, each with its labels, and no others', () => {
    const chapters = readFileSync(join(documents, 'metrics.md'), 'utf8').split('\n## ').slice(1)
    const told = Object.fromEntries(
      chapters.map((chapter) => {
        const rows = chapter.matchAll(/^\| `(\w+)` \| \w+ \| (.*?) \|/gm)
        const found = Array.from(rows, ([, name = '', labels = '']) => ({ name, labels: labels.match(/\w+/g) ?? [] }))
        return [chapter.slice(0, chapter.indexOf('\n')), found]
      }),
    )
    assert.deepEqual(told, known)
  })

  it('are what alerts and the dashboard ask for', () => {
    const { panels } = JSON.parse(readFileSync(join(deployFolder, 'dashboards/windlass.json'), 'utf8')) as Dashboard
    const asked = [
      ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ by: title, expr }))),
      ...shippedRules().map(({ alert, expr }) => ({ by: alert, expr })),
    ]
    for (const { by, expr } of asked) {
      const found = metricsIn(expr)
      assert.ok(found.length > 0, `${by}: ${expr}`)
      assert.deepEqual(
        found.filter((name) => !isKnown(name)),
        [],
        by,
      )
    }
  })

  it('every alert is in the documents, with its severity', () => {
    const text = readFileSync(join(documents, 'alerts.md'), 'utf8')
    const told = Array.from(
      text.matchAll(/^\| \[(\w+)\]\(runbooks\/(\w+)\.md\) \| (\w+) \|/gm),
      ([, alert, file, severity]) => `${alert} ${file} ${severity}`,
    )
    const shipped = shippedRules().map(({ alert, labels }) => `${alert} ${alert} ${labels['severity']}`)
    assert.deepEqual(told.toSorted(), shipped.toSorted())
  })
})
