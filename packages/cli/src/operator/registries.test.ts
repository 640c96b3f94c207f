import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { run } from '../fixtures.ts'
import { registrySettings } from './registries.ts'

describe('settings of registries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-registries-'))
  after(() => rmSync(folder, { recursive: true }))

  function written(name: string, text: string): string {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }

  it('are none when nobody says anything', async () => {
    assert.deepEqual(await registrySettings({}, {}), {})
  })

  it('come from files and from the command line', async () => {
    const rule = { source: 'example.com/ocp', mirrors: ['mirror.local/ocp'] }
    const mirrors = written('mirrors.yaml', JSON.stringify({ kind: 'ImageDigestMirrorSet', spec: { imageDigestMirrors: [rule] } }))
    const settings = await registrySettings(
      {
        registryMirrors: mirrors,
        registryCa: written('ca.crt', 'PEM'),
        registryOverrides: { 'example.com/ocp': 'mirror.local/ocp' },
        releaseCache: '/var/cache/releases',
      },
      {},
    )
    assert.deepEqual(settings, {
      mirrors: { digests: [rule], tags: [] },
      ca: ['PEM'],
      overrides: new Map([['example.com/ocp', 'mirror.local/ocp']]),
      folder: '/var/cache/releases',
    })
  })

  it('have the proxy of the environment, however it is spelt', async () => {
    const env = { HTTPS_PROXY: 'http://proxy:3128', no_proxy: '.local' }
    assert.deepEqual(await registrySettings({}, env), { proxy: { https: 'http://proxy:3128', except: '.local' } })
    assert.deepEqual(await registrySettings({}, { NO_PROXY: '.local' }), {})
  })

  it('say which file is wrong, and how', async () => {
    const missing = join(folder, 'none.crt')
    await assert.rejects(registrySettings({ registryCa: missing }, {}), { message: `${missing} cannot be read: there is no such file` })
    const other = written('other.yaml', 'kind: ConfigMap')
    await assert.rejects(registrySettings({ registryMirrors: other }, {}), (error: Error) =>
      error.message.startsWith(`${other} tells no mirrors: kind: `),
    )
  })

  it('take overrides as pairs', async () => {
    const { status, err } = await run('operator', '--registry-overrides', 'example.com')
    assert.equal(status, 2)
    assert.match(err, /Overrides are written like example\.com\/ocp=mirror\.local\/ocp/)
  })
})
