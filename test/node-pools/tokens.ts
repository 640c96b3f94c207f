import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Secret } from '@windlass/api'
import { formatTime } from '@windlass/core'
import { askingFor } from './ignition.ts'
import type { Scene } from './story.ts'

const own = (name: string): string => `hypershift.openshift.io/${name}`
const textIn = (secret: Secret | undefined, key: string): string => Buffer.from(secret?.data?.[key] ?? '', 'base64').toString()

/** Replaced, and ended. */
export function tokens(at: () => Scene): void {
  it('NP-41 replaces a token that has lived long enough; the one before it is still good', async () => {
    const scene = at()
    const { stage, workers } = scene
    const { hash } = workers
    const machines = workers.machines.map(({ metadata }) => metadata.uid)
    const before = textIn(workers.token(hash), 'token')
    const long = formatTime(Date.now() - 6 * 3_600_000)
    await stage.k.ok`-n ${workers.home} annotate --overwrite secret token-workers-${hash} ${own('last-token-generation-time')}=${long}`
    await workers.until('to have another token', () => textIn(workers.token(hash), 'token') !== before)
    const token = textIn(workers.token(hash), 'token')
    assert.equal(textIn(workers.token(hash), 'old_token'), before)
    await workers.until('to give it to new machines', () => {
      const userData = workers.secrets.find(({ metadata }) => metadata.name === `user-data-workers-${hash}`)
      return textIn(userData, 'value').includes(Buffer.from(token).toString('base64'))
    })
    const ask = await askingFor(scene, workers)
    assert.deepEqual([await ask(before, hash), await ask(token, hash), await ask('nobody', hash)], [200, 200, 511])
    assert.deepEqual(
      workers.machines.map(({ metadata }) => metadata.uid),
      machines,
    )
  })

  it('NP-38 deletes a token when its time has come, and lets nobody in with it from then on', async () => {
    const scene = at()
    const { stage, workers } = scene
    const expires = own('ignition-token-expiration-timestamp')
    const old = workers.secrets.find(({ metadata }) => metadata.annotations?.[expires] !== undefined) ?? assert.fail('none expires')
    const { name = '' } = old.metadata
    const hash = name.replace(/^.*-/, '')
    const ask = await askingFor(scene, workers)
    assert.equal(await ask(textIn(old, 'token'), hash), 200, 'machines that are starting may still hold it')
    await stage.k.ok`-n ${workers.home} annotate --overwrite secret ${name} ${expires}=${formatTime(Date.now() + 1500)}`
    await workers.until('to have lost it', () => workers.secrets.every(({ metadata }) => metadata.name !== name))
    assert.equal(await ask(textIn(old, 'token'), hash), 511)
  })

  it('NP-42 makes a token anew that somebody has deleted, and rolls nothing', async () => {
    const { stage, workers } = at()
    const { hash } = workers
    const before = workers.token(hash)
    const generation = workers.deployment?.metadata.generation
    await stage.k.ok`-n ${workers.home} delete secret token-workers-${hash}`
    await workers.until('to have it again', () => {
      const token = workers.token(hash)
      return token !== undefined && token.metadata.uid !== before?.metadata.uid && textIn(token, 'reason') === 'AsExpected'
    })
    assert.notEqual(textIn(workers.token(hash), 'token'), textIn(before, 'token'))
    await workers.until('to say that nobody has come yet', () => workers.said('ReachedIgnitionEndpoint') === 'False/ignitionNotReached')
    assert.equal(workers.deployment?.metadata.generation, generation)
  })
}
