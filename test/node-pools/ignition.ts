import assert from 'node:assert/strict'
import { httpsIgnition } from '@windlass/simulator'
import { namespace } from '../hosted/cluster.ts'
import type { AskedPool } from './asked-pool.ts'
import type { Scene } from './story.ts'

/** Asks for a configuration as a machine of the pool does that was born with a token. Gives the status of the answer. */
export type AskForConfiguration = (token: string, hash: string) => Promise<number>

export async function askingFor({ stage, prod }: Pick<Scene, 'stage' | 'prod'>, pool: AskedPool): Promise<AskForConfiguration> {
  const { data } = await stage.k.object`-n ${pool.home} get secret ignition-server-ca-cert -o json`
  const connectTo = { host: '127.0.0.1', port: stage.ignitionPort ?? assert.fail('nobody serves machines') }
  const fetch = httpsIgnition({ connectTo })
  return async (token, hash) => {
    const authorization = `Bearer ${Buffer.from(token).toString('base64')}`
    const question = {
      url: `https://${prod.object?.status?.ignitionEndpoint}/ignition`,
      headers: { authorization, nodepool: `${namespace}/${pool.name}`, targetconfigversionhash: hash },
      authority: Buffer.from(data['tls.crt'] ?? '', 'base64').toString(),
      tokenSecret: undefined,
    }
    return (await fetch(question, AbortSignal.timeout(20_000))).status
  }
}
