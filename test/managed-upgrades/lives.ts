import { systemClock as clock } from '@windlass/core'
import { type RunningOcm, serveOcm, SimulatedOcm } from '@windlass/simulator'
import type { OperatorProcess } from '../operator/operator-process.ts'
import { ocmToken } from '../outside/monitoring.ts'
import { clusterId } from './cluster.ts'

/** What may end and begin again in a story. */
export class Lives {
  operator: OperatorProcess | undefined
  #ocm: RunningOcm
  #isOcmOpen = true

  private constructor(ocm: RunningOcm) {
    this.#ocm = ocm
  }

  static async begin(asksAgent: boolean): Promise<Lives> {
    const ocm = new SimulatedOcm({ clock })
    const gracePeriod = { value: 60, unit: 'minutes' }
    ocm.memory.register({ id: 'c1', externalId: clusterId, token: ocmToken, version: '4.18.15', channelGroup: 'stable', gracePeriod })
    return new Lives(await serveOcm({ ocm: asksAgent ? new SimulatedOcm({ agentOf: ocm }) : ocm, clock }))
  }

  get ocm(): RunningOcm {
    return this.#ocm
  }

  async closeOcm(): Promise<void> {
    this.#isOcmOpen = false
    await this.#ocm.close()
  }

  async openOcm(): Promise<void> {
    this.#ocm = await serveOcm({ ocm: this.#ocm.ocm, clock, port: Number(new URL(this.#ocm.url).port) })
    this.#isOcmOpen = true
  }

  async endOcm(): Promise<void> {
    if (this.#isOcmOpen) await this.closeOcm()
  }
}
