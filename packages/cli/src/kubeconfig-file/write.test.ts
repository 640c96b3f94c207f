import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { kubeconfig } from '@windlass/apiserver'
import { assertReplaceable, writeKubeconfig } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'windlass-kubeconfig-'))
after(() => rmSync(folder, { recursive: true }))

describe('a kubeconfig that is written', () => {
  it('can be read by its owner alone, and its folder is made', () => {
    const file = join(folder, 'new', 'kubeconfig')
    writeKubeconfig(file, 'content')
    assert.equal(readFileSync(file, 'utf8'), 'content')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(folder, 'new')), ['kubeconfig'])
  })

  it('replaces one that everybody could read', () => {
    const file = join(folder, 'open')
    writeFileSync(file, 'old')
    chmodSync(file, 0o644)
    writeKubeconfig(file, 'new')
    assert.equal(readFileSync(file, 'utf8'), 'new')
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  it('is refused in one sentence where there is no place for it', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    assert.throws(() => writeKubeconfig(join(file, 'kubeconfig'), ''), {
      name: 'Failure',
      message: `the kubeconfig ${file}/kubeconfig cannot be written (a file is in the place of one of its folders): choose another file with --kubeconfig`,
    })
    const taken = join(folder, 'taken')
    mkdirSync(join(taken, 'kubeconfig'), { recursive: true })
    assert.throws(() => writeKubeconfig(join(taken, 'kubeconfig'), ''), { message: /cannot be written \(it is a folder\)/ })
    assert.deepEqual(readdirSync(taken), ['kubeconfig'])
  })
})

function check(content: string): void {
  const file = join(folder, 'present')
  writeFileSync(file, content)
  assertReplaceable(file)
}

describe('a file in the place of the kubeconfig', () => {
  it('may be replaced when it is empty or one of ours, or when there is none', () => {
    check('')
    check('\n')
    check(kubeconfig({ server: 'https://127.0.0.1:1', token: 'old' }))
    assertReplaceable(join(folder, 'none'))
    assertReplaceable(join(folder, 'present', 'below a file'))
  })

  it('is kept when it leads to other clusters, or is something else', () => {
    const others = kubeconfig({ server: 'https://prod', token: 'precious', cluster: 'prod' })
    for (const content of [others, 'a letter to grandma', 'a: [']) {
      assert.throws(() => check(content), { name: 'Failure', message: /is not a kubeconfig that Windlass wrote and would be lost/ })
    }
    mkdirSync(join(folder, 'a folder'))
    assert.throws(() => assertReplaceable(join(folder, 'a folder')), { message: /cannot be written \(it is a folder\)/ })
  })
})
