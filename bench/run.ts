/** `npm run bench`: measures the API server and the controller toolkit, prints a table, writes JSON. See README.md beside this file. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Bench, type Settings } from './bench.ts'
import { ratiosOf, tableOf } from './figures.ts'
import { goals } from './goals.ts'
import { measureClusters } from './sections/clusters.ts'
import { measureCollector } from './sections/collector.ts'
import { measureDecisions } from './sections/decisions.ts'
import { measureDecoding } from './sections/decoding.ts'
import { measureFleet } from './sections/fleet/index.ts'
import { measureFleetModel } from './sections/fleet-model/index.ts'
import { measureInsights } from './sections/insights/index.ts'
import { measureNodePools } from './sections/node-pools/index.ts'
import { measureMetrics } from './sections/metrics/index.ts'
import { type Costs, measureObjects } from './sections/objects.ts'
import { measurePage } from './sections/page/index.ts'
import { measureStart } from './sections/start.ts'
import { measureToolkit } from './sections/toolkit/index.ts'

const results = join(import.meta.dirname, 'results')

const sections = {
  start: measureStart,
  decoding: measureDecoding,
  decisions: measureDecisions,
  objects: measureSizes,
  collector: measureCollector,
  clusters: measureClusters,
  toolkit: measureToolkit,
  fleet: measureFleet,
  'fleet-model': measureFleetModel,
  'node-pools': measureNodePools,
  insights: measureInsights,
  page: measurePage,
  metrics: measureMetrics,
} satisfies Record<string, (bench: Bench) => Promise<void>>

/** These take as long as all others together, and longer: they are measured when they are asked for. */
const lasting = ['fleet', 'node-pools']

/** The same at every size, then how much more one operation costs at the largest. */
async function measureSizes(bench: Bench): Promise<void> {
  const { objects } = bench.settings
  const costs: Costs[] = []
  for (const count of objects) costs.push(await measureObjects(bench, count))
  const [small] = costs
  const large = costs.at(-1)
  if (small === undefined || large === undefined || small === large) return
  for (const operation of Object.keys(small) as (keyof Costs)[]) {
    const value = large[operation] / small[operation]
    bench.add({ name: `cost of ${operation}, largest to smallest`, value, unit: 'x', goal: goals.growth })
  }
}

function readArguments(): { readonly settings: Settings; readonly only: readonly string[] } {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      objects: { type: 'string' },
      clusters: { type: 'string' },
      cached: { type: 'string' },
      fleet: { type: 'string' },
      pools: { type: 'string' },
      modelled: { type: 'string' },
      nodes: { type: 'string' },
      only: { type: 'string' },
      profile: { type: 'boolean', default: false },
    },
  })
  const isQuick = values.quick
  const settings: Settings = {
    isQuick,
    objects: (values.objects ?? (isQuick ? '3000' : '3000,100000')).split(',').map(Number),
    clusters: Number(values.clusters ?? (isQuick ? 200 : 1000)),
    cached: (values.cached ?? (isQuick ? '1000,10000' : '10000,100000')).split(',').map(Number),
    fleet: (values.fleet ?? (isQuick ? '25,100' : '250,1000')).split(',').map(Number),
    modelled: (values.modelled ?? (isQuick ? '200,1000' : '1000,10000')).split(',').map(Number),
    pools: (values.pools ?? (isQuick ? '10,25' : '250,1000')).split(',').map(Number),
    nodes: (values.nodes ?? (isQuick ? '500' : '5000')).split(',').map(Number),
    profileFolder: values.profile ? join(results, 'profiles') : undefined,
  }
  return { settings, only: values.only?.split(',') ?? Object.keys(sections).filter((name) => !lasting.includes(name)) }
}

const { settings, only } = readArguments()
const loadBefore = loadavg()
const bench = new Bench(settings)
try {
  for (const [name, measure] of Object.entries(sections)) {
    if (!only.includes(name)) continue
    process.stderr.write(`${name}\n`)
    await measure(bench)
  }
} finally {
  await bench.close()
}
process.stdout.write(`${tableOf(bench.figures)}\n`)
mkdirSync(results, { recursive: true })
const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version, loadBefore, loadAfter: loadavg() }
const report = {
  date: new Date().toISOString(),
  machine,
  settings,
  figures: bench.figures.map((figure) => ({ ...figure, ...ratiosOf(figure) })),
}
writeFileSync(join(results, `${report.date.replaceAll(':', '-')}.json`), `${JSON.stringify(report, undefined, 2)}\n`)
