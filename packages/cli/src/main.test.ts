import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import packageJson from '../package.json' with { type: 'json' }
import { aContext, run } from './fixtures.ts'
import { createProgram } from './main.ts'

describe('a wrong command line ends with status 2, says what is wrong on stderr and prints nothing', () => {
  for (const [args, sentence] of [
    [['upp'], /^windlass: unknown command 'upp'\n\(Did you mean up\?\)\nRun 'windlass --help' to see what it takes\.\n$/],
    [['up', '--memry'], /^windlass: unknown option '--memry'\n\(Did you mean --memory\?\)\nRun 'windlass up --help'/],
    [['up', 'here'], /^windlass: too many arguments for 'up'/],
    [['up', '--port'], /^windlass: option '--port <number>' argument missing/],
    [['up', '--port', '70000'], /argument '70000' is invalid\. A port is a whole number from 0 to 65535\./],
    [['up', '--port', '-1'], /argument '-1' is invalid|argument missing/],
    [['apiserver', '--port', '6443x'], /argument '6443x' is invalid/],
    [['apiserver', '--port', '1e3'], /argument '1e3' is invalid/],
    [['apiserver', '--port', ''], /argument '' is invalid/],
    [['apiserver', '--engine', 'etcd'], /argument 'etcd' is invalid\. Allowed choices are lmdb, sqlite\./],
    [['apiserver', '--log-level', 'loud'], /Allowed choices are silent, error, warn, info, debug\./],
    [['apiserver', '--data-dir', ''], /The name of a folder must not be empty\./],
    [['apiserver', '--kubeconfig', 'somewhere/'], /It must name a file\./],
    [['apiserver', '--host', ''], /It must not be empty\./],
    [['completion'], /^windlass: missing required argument 'shell'/],
    [['completion', 'ksh'], /Allowed choices are bash, zsh, fish\./],
    [['operator', '--controllers', 'a,,b'], /Names have commas between them: a,b\./],
    [['operator', '--lease-duration', '15'], /A length of time has a number and a unit: 15s, 1m30s\./],
    [['operator', '--retry-period', '-2s'], /A length of time has a number and a unit|argument missing/],
    [['operator', '--health-port', 'many'], /A port is a whole number from 0 to 65535\./],
    [['version', '-o', 'yaml'], /Allowed choices are text, json\./],
  ] satisfies [string[], RegExp][]) {
    it(`windlass ${args.map((arg) => arg || "''").join(' ')}`, async () => {
      const { status, out, err } = await run(...args)
      assert.match(err, sentence)
      assert.deepEqual({ status, out }, { status: 2, out: '' })
      assert.doesNotMatch(err, /\n {4}at |error:/)
    })
  }

  it('windlass alone, which shows the help', async () => {
    const { status, out, err } = await run()
    assert.deepEqual({ status, out }, { status: 2, out: '' })
    assert.match(err, /^Usage: windlass/)
  })
})

describe('help', () => {
  const visibleCommands = createProgram(aContext().context).commands.filter((command) => !command.name().startsWith('__'))

  it('of the program names every command', async () => {
    const { status, out, err } = await run('--help')
    assert.deepEqual({ status, err }, { status: 0, err: '' })
    for (const command of visibleCommands) assert.match(out, new RegExp(`^  ${command.name()}\\b`, 'm'))
  })

  for (const command of visibleCommands) {
    it(`of ${command.name()} goes to stdout, by flag and by command, and has examples`, async () => {
      const { status, out, err } = await run(command.name(), '--help')
      assert.deepEqual({ status, err }, { status: 0, err: '' })
      assert.match(out, new RegExp(`^Usage: windlass ${command.name()}`))
      assert.match(out, /\nExamples:\n {2}\S/)
      assert.equal((await run('help', command.name())).out, out)
    })
  }
})

describe('windlass version', () => {
  it('says what it is and what it runs on', async () => {
    const { status, out, err } = await run('version')
    assert.deepEqual({ status, err }, { status: 0, err: '' })
    assert.equal(out, `windlass ${packageJson.version} (Node ${process.versions.node}, ${process.platform}/${process.arch})\n`)
  })

  it('says the same to programs', async () => {
    const { out } = await run('version', '-o', 'json')
    assert.deepEqual(JSON.parse(out), {
      version: packageJson.version,
      node: process.versions.node,
      platform: `${process.platform}/${process.arch}`,
    })
  })

  it('has a short form', async () => {
    assert.deepEqual(await run('--version'), { status: 0, out: `${packageJson.version}\n`, err: '' })
  })
})
