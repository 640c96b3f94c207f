import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { silentLog } from '@windlass/kube'
import { membersOf, type MemberFlags } from './members.ts'

const folder = mkdtempSync(join(tmpdir(), 'windlass-members-'))
after(() => rmSync(folder, { recursive: true }))

function kubeconfig(contexts: readonly string[], current?: string): string {
  const file = join(folder, `${contexts.length}-${current ?? 'none'}`)
  const content = {
    ...(current === undefined ? {} : { 'current-context': current }),
    contexts: contexts.map((name) => ({ name, context: { cluster: 'one', user: '' } })),
    clusters: [{ name: 'one', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [],
  }
  writeFileSync(file, JSON.stringify(content))
  return file
}

const namesBy = async (flags: MemberFlags): Promise<readonly string[]> =>
  (await membersOf(flags, { clock: new VirtualClock(), log: silentLog })).map(({ source, door }) => {
    assert.equal(source.name, door.name)
    return source.name
  })

describe('members of a fleet', () => {
  const file = kubeconfig(['east', 'west', 'default/api-north:6443/admin'], 'west')

  it('are the current context, those that are asked for, or all', async () => {
    assert.deepEqual(await namesBy({ kubeconfig: file }), ['west'])
    assert.deepEqual(await namesBy({ kubeconfig: file, context: ['east', 'west', 'east'] }), ['east', 'west'])
    assert.deepEqual(await namesBy({ kubeconfig: file, allContexts: true }), ['east', 'west', 'default:api-north:6443:admin'])
  })

  it('that are not there are named, with those that are', async () => {
    await assert.rejects(namesBy({ kubeconfig: file, context: ['south'] }), {
      name: 'Failure',
      message: `the kubeconfig ${file} has no context south: it has east, west, default/api-north:6443/admin`,
    })
    await assert.rejects(namesBy({ kubeconfig: kubeconfig(['east']) }), {
      message: /has no current-context: choose one with --context, or --all-contexts$/,
    })
    await assert.rejects(namesBy({ kubeconfig: kubeconfig([]), allContexts: true }), { message: /has no contexts/ })
    await assert.rejects(namesBy({ kubeconfig: join(folder, 'missing') }), { name: 'KubeconfigError' })
  })
})
