import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Counter, Registry } from 'prom-client'
import { createMetrics, noMetrics } from './index.ts'
import type { QueueGauges, RuntimeMetrics } from './index.ts'

const idle: QueueGauges = { depths: () => new Map(), unfinishedSeconds: () => 0, longestRunningSeconds: () => 0 }

/** Says something of everything, so that every metric has a sample. */
function useAll(metrics: RuntimeMetrics): void {
  const controller = metrics.controller('node-pool', 4)
  controller.started()
  controller.finished('success', 0.2)
  controller.terminalError()
  controller.panicked()
  controller.timedOut()
  controller.waitedForCache(0.01)
  const queue = metrics.queue('node-pool', idle)
  queue.added()
  queue.retried()
  queue.waited(0.5)
  queue.worked(0.1)
  metrics.cache('nodepools.hypershift.openshift.io', () => ({ objects: 3, lists: 1, watches: 3 }))
  metrics.request('127.0.0.1:6443', 'GET', 200, 0.01)
  metrics.leader('windlass', true)
}

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

function parse(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      return {
        name,
        labels: Object.fromEntries(Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), (match) => match.slice(1))),
        value: Number(value),
      }
    })
}

/** `name{labels}` of everything, with the three names of a histogram as one. */
function families(text: string): readonly string[] {
  const histograms = new Set(Array.from(text.matchAll(/^# TYPE (\S+) histogram$/gm), (match) => match[1]))
  const found = parse(text).map(({ name, labels }) => {
    const family = name.replace(/_(bucket|sum|count)$/, '')
    const names = Object.keys(labels).filter((label) => label !== 'le')
    return `${histograms.has(family) ? family : name}{${names.sort().join(',')}}`
  })
  return [...new Set(found)].sort()
}

function valueOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  return samples.find((each) => each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value))?.value
}

describe('metrics', () => {
  it('N21 names and labels are those that dashboards for controller-runtime know, and ours', async () => {
    const metrics = createMetrics()
    useAll(metrics)
    assert.deepEqual(
      families(await metrics.text()),
      [
        'controller_runtime_reconcile_total{controller,result}',
        'controller_runtime_reconcile_errors_total{controller}',
        'controller_runtime_terminal_reconcile_errors_total{controller}',
        'controller_runtime_reconcile_panics_total{controller}',
        'controller_runtime_reconcile_timeouts_total{controller}',
        'controller_runtime_reconcile_time_seconds{controller}',
        'controller_runtime_max_concurrent_reconciles{controller}',
        'controller_runtime_active_workers{controller}',
        'workqueue_depth{controller,name,priority}',
        'workqueue_adds_total{controller,name}',
        'workqueue_queue_duration_seconds{controller,name}',
        'workqueue_work_duration_seconds{controller,name}',
        'workqueue_unfinished_work_seconds{controller,name}',
        'workqueue_longest_running_processor_seconds{controller,name}',
        'workqueue_retries_total{controller,name}',
        'rest_client_requests_total{code,host,method}',
        'rest_client_request_duration_seconds{host,verb}',
        'leader_election_master_status{name}',
        'windlass_cache_objects{cache}',
        'windlass_watch_restarts_total{cache}',
        'windlass_stale_read_wait_seconds{}',
      ].sort(),
    )
  })

  it('N21 a process tells how late its event loop is, and of its memory', async () => {
    const metrics = createMetrics({ process: true })
    const samples = parse(await metrics.text())
    assert.ok((valueOf(samples, 'windlass_event_loop_lag_seconds') ?? -1) >= 0)
    assert.ok((valueOf(samples, 'process_resident_memory_bytes') ?? 0) > 0)
  })

  it('N21 reconciles are counted by result, those that never came with 0', async () => {
    const metrics = createMetrics()
    const controller = metrics.controller('c', 2)
    for (let times = 0; times < 3; times++) controller.started()
    controller.finished('error', 1)
    controller.finished('requeue_after', 0.004)
    const samples = parse(await metrics.text())
    const total = (result: string): number | undefined =>
      valueOf(samples, 'controller_runtime_reconcile_total', { controller: 'c', result })
    assert.deepEqual(['success', 'error', 'requeue', 'requeue_after'].map(total), [0, 1, 0, 1])
    assert.equal(valueOf(samples, 'controller_runtime_reconcile_errors_total'), 1)
    assert.equal(valueOf(samples, 'controller_runtime_active_workers'), 1)
    assert.equal(valueOf(samples, 'controller_runtime_max_concurrent_reconciles'), 2)
  })

  it('N21 durations fall into the buckets of controller-runtime, a bound included', async () => {
    const metrics = createMetrics()
    const controller = metrics.controller('c', 1)
    for (const seconds of [0.005, 0.0051, 0.35, 60, 61]) controller.finished('success', seconds)
    const samples = parse(await metrics.text())
    const bucket = (le: string): number | undefined => valueOf(samples, 'controller_runtime_reconcile_time_seconds_bucket', { le })
    assert.deepEqual(['0.005', '0.01', '0.3', '0.35', '50', '60', '+Inf'].map(bucket), [1, 2, 2, 3, 3, 4, 5])
    assert.equal(valueOf(samples, 'controller_runtime_reconcile_time_seconds_count'), 5)
    assert.equal(valueOf(samples, 'controller_runtime_reconcile_time_seconds_sum'), 0.005 + 0.0051 + 0.35 + 60 + 61)
    const bounds = samples.filter(({ name }) => name === 'controller_runtime_reconcile_time_seconds_bucket').map(({ labels }) => labels.le)
    assert.equal(bounds.length, 41)
  })

  it('N21 asking twice counts nothing twice', async () => {
    const metrics = createMetrics()
    useAll(metrics)
    const first = await metrics.text()
    assert.equal(await metrics.text(), first)
  })

  it('N21 a priority that is empty by now has depth 0', async () => {
    const metrics = createMetrics()
    let depths = new Map([[-100, 7]])
    metrics.queue('c', { ...idle, depths: () => depths })
    assert.equal(valueOf(parse(await metrics.text()), 'workqueue_depth', { priority: '-100' }), 7)
    depths = new Map()
    const samples = parse(await metrics.text())
    assert.equal(valueOf(samples, 'workqueue_depth', { priority: '-100' }), 0)
    assert.equal(valueOf(samples, 'workqueue_depth', { priority: '0' }), 0)
  })

  it('N21 caches of one name are added up, and beginning to watch is no restart', async () => {
    const metrics = createMetrics()
    metrics.cache('nodes', () => ({ objects: 3, lists: 1, watches: 1 }))
    metrics.cache('nodes', () => ({ objects: 4, lists: 1, watches: 4 }))
    const samples = parse(await metrics.text())
    assert.equal(valueOf(samples, 'windlass_cache_objects', { cache: 'nodes' }), 7)
    assert.equal(valueOf(samples, 'windlass_watch_restarts_total', { cache: 'nodes' }), 3)
  })

  it('N21 requests are counted by code, method and host; one without an answer as <error>', async () => {
    const metrics = createMetrics()
    metrics.request('a:6443', 'PATCH', 200, 0.1)
    metrics.request('a:6443', 'PATCH', 200, 0.1)
    metrics.request('a:6443', 'PATCH', '<error>', 5)
    const samples = parse(await metrics.text())
    assert.equal(valueOf(samples, 'rest_client_requests_total', { code: '200', method: 'PATCH', host: 'a:6443' }), 2)
    assert.equal(valueOf(samples, 'rest_client_requests_total', { code: '<error>' }), 1)
  })

  it('N21 ten thousand clusters do not make ten thousand label values', async () => {
    const metrics = createMetrics()
    for (let host = 0; host < 10_000; host++) metrics.request(`host-${host}:6443`, 'GET', 200, 0.001)
    const requests = parse(await metrics.text()).filter(({ name }) => name === 'rest_client_requests_total')
    assert.equal(requests.length, 101)
    assert.equal(valueOf(requests, 'rest_client_requests_total', { host: 'other' }), 9900)
  })

  it('N21 other packages add theirs to the same registry', async () => {
    const registry = new Registry()
    const metrics = createMetrics({ registry })
    new Counter({ name: 'windlass_upgrades_total', help: 'Upgrades.', registers: [await metrics.registry()] }).inc()
    metrics.leader('windlass', false)
    const samples = parse(await metrics.text())
    assert.equal(valueOf(samples, 'windlass_upgrades_total'), 1)
    assert.equal(valueOf(samples, 'leader_election_master_status', { name: 'windlass' }), 0)
  })

  it('N21 text that others have written out comes in pieces, after the registry and as it is then', async () => {
    const metrics = createMetrics()
    let value = 1
    metrics.add({ pieces: () => [`a ${value}\n`, `b ${value}\n`] })
    value = 2
    const pieces: string[] = []
    for await (const piece of metrics.pieces()) pieces.push(piece)
    assert.deepEqual(pieces.slice(1), ['a 2\n', 'b 2\n'])
    assert.equal(await metrics.text(), pieces.join(''))
  })

  it('N21 who counts nothing takes everything', () => {
    useAll(noMetrics)
  })
})
