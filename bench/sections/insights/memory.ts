import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CustomResourceDefinition, NodeProgressInsight } from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import { type Client, connector } from '@windlass/kube'
import { place, standaloneCluster } from '@windlass/simulator'
import { definitions } from '../../../packages/cli/src/simulator/testing/index.ts'
import { start } from '../../../test/hosted/processes.ts'
import { cpuOf } from '../../../test/support/cpu.ts'
import type { Bench } from '../../bench.ts'
import { memoryOf } from '../../server.ts'

const controllers = 'cluster-version-insight,cluster-operator-insight,machine-config-pool-insight,node-insight'

/** What the controllers of insights take of a machine: the real command, over HTTPS, at a large cluster that rests. */
export async function measureMemory(bench: Bench, nodes: number): Promise<void> {
  const server = await bench.start()
  const kubeconfig = join(server.directory, 'kubeconfig')
  const connect = connector({ clock, random, userAgent: 'windlass-bench', fieldManager: 'windlass-bench' })
  const client = await connect(readFileSync(kubeconfig, 'utf8'), 'the server')
  try {
    for (const definition of definitions) await client.create(CustomResourceDefinition, definition)
    await sleep(1000)
    await placeInParallel(client, nodes)
    const operator = await start(['operator', '--kubeconfig', kubeconfig, '--controllers', controllers, '--log-level', 'warn'])
    try {
      await untilTold(client, nodes)
      // What is not needed any more is given back some time after everything was looked at.
      await sleep(15_000)
      const name = `operator with insights into ${nodes} nodes`
      bench.add({ name: `${name}: memory`, value: memoryOf(operator.process).resident, unit: 'MB' })
      bench.add({ name: `${name}: CPU until all is told`, value: cpuOf(operator.process) / 1000, unit: 's' })
    } finally {
      await operator.stop()
    }
  } finally {
    await client.close()
    await bench.stop(server)
  }
}

/** Objects do not depend on each other, but for the definitions. */
async function placeInParallel(client: Client, workers: number): Promise<void> {
  const release = { version: '4.19.10', image: aReleaseImage('4.19.10') }
  const objects = standaloneCluster({ release, installed: Date.UTC(2025, 11, 31), workers })
  const lanes = Array.from({ length: 16 }, (_, lane) => objects.filter((_object, index) => index % 16 === lane))
  await Promise.all(lanes.map((lane) => place(client, lane)))
}

async function untilTold(client: Client, nodes: number): Promise<void> {
  for (;;) {
    let told = 0
    for await (const { status } of client.list(NodeProgressInsight)) if (status !== undefined) told++
    if (told >= nodes) return
    await sleep(500)
  }
}
