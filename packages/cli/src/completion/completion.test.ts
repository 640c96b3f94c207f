import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Argument, Command, Option } from 'commander'
import { completionScript, type Shell, shells } from './index.ts'
import { systemClock } from '@windlass/core'
import { flagsIn } from './line.ts'
import { completionTree } from './tree.ts'

/** Everything that a script has to deal with, and no more. */
function aProgram(): Command {
  const program = new Command('crane').version('1')
  program
    .command('lift')
    .description("lifts what it's told: gently [always]")
    .addOption(new Option('-o, --output <format>', 'how to say it').choices(['text', 'json']))
    .option('--hook <file>')
    .option('--yard <folder>')
    .option('--height <metres>')
    .option('--fast')
    .addArgument(new Argument('<what>').choices(['beam', 'plate']))
    .argument('[note]')
  const fleet = program.command('fleet').description('all cranes')
  fleet.command('list').option('--all')
  fleet.command('show').addOption(new Option('--context <names>')).argument('<cluster>')
  program.command('secret', { hidden: true })
  return program
}

const isInstalled = (shell: Shell): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0

const folder = mkdtempSync(join(tmpdir(), 'windlass-completion-'))
after(() => rmSync(folder, { recursive: true }))

describe('the commands as data', () => {
  const tree = completionTree(aProgram())
  const lift = tree.commands.find(({ name }) => name === 'lift')

  it('hold what people may see, and the help that commander adds', () => {
    assert.deepEqual(
      tree.commands.map(({ name }) => name),
      ['lift', 'fleet', 'help'],
    )
    assert.deepEqual(
      tree.options.map(({ names }) => names),
      [
        ['-V', '--version'],
        ['-h', '--help'],
      ],
    )
    assert.deepEqual(tree.commands.at(-1)?.arguments, [{ name: 'command', values: { kind: 'words', words: ['lift', 'fleet', 'help'] } }])
  })

  it('know what may follow an option by its choices or by its name in the help', () => {
    const values = Object.fromEntries(lift?.options.map(({ names, value }) => [names.at(-1), value?.values]) ?? [])
    assert.deepEqual(values, {
      '--output': { kind: 'words', words: ['text', 'json'] },
      '--hook': { kind: 'file' },
      '--yard': { kind: 'folder' },
      '--height': { kind: 'anything' },
      '--fast': undefined,
      '--help': undefined,
    })
  })

  it('go down as far as the commands do', () => {
    const [list] = tree.commands.find(({ name }) => name === 'fleet')?.commands ?? []
    assert.deepEqual(list?.path, ['crane', 'fleet', 'list'])
  })
})

describe('the script for', () => {
  for (const shell of shells) {
    it(`${shell} names every command and long option, and nothing hidden`, () => {
      const script = completionScript(aProgram(), shell)
      for (const word of ['lift', 'fleet', 'list', 'help', 'version', 'output', 'hook', 'yard', 'height', 'fast', 'all', 'beam', 'plate']) {
        assert.match(script, new RegExp(`\\b${word}\\b`))
      }
      assert.doesNotMatch(script, /secret/)
    })
  }

  for (const shell of shells.filter(isInstalled)) {
    it(`${shell} is a script that ${shell} can read`, () => {
      const file = join(folder, shell)
      writeFileSync(file, completionScript(aProgram(), shell))
      const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    })
  }

  it('zsh escapes what its specifications give a meaning to', () => {
    const script = completionScript(aProgram(), 'zsh')
    assert.match(script, /^#compdef crane\n/)
    assert.ok(script.includes(`'lift:lifts what it'\\''s told\\: gently [always]'`))
    assert.ok(script.includes(`'(-o --output)--output=[how to say it]:format:(text json)'`))
    assert.ok(script.includes(`'--yard=[]:folder:_files -/'`))
    assert.ok(script.includes('_crane_fleet_list() {'))
  })

  it('fish offers each thing in its place', () => {
    const script = completionScript(aProgram(), 'fish')
    assert.ok(script.includes(`complete -c crane -n '__crane_at \\'crane 0\\'' -a 'lift' -d 'lifts what it\\'s told: gently [always]'\n`))
    assert.ok(
      script.includes(`complete -c crane -n '__crane_in \\'crane lift\\'' -s o -l output -r -f -a 'text json' -d 'how to say it'\n`),
    )
    assert.ok(script.includes(`complete -c crane -n '__crane_in \\'crane lift\\'' -l hook -r -F`))
    assert.ok(script.includes(`complete -c crane -n '__crane_at \\'crane lift 0\\'' -f -a 'beam plate'\n`))
  })
})

describe('names that only the clusters know', () => {
  it('are asked for by every shell', () => {
    assert.match(completionScript(aProgram(), 'bash'), /__complete clusters -- "\$\{COMP_WORDS\[@\]:1\}" 2>\/dev\/null/)
    assert.match(completionScript(aProgram(), 'zsh'), /':cluster:_crane_asked clusters'/)
    assert.match(completionScript(aProgram(), 'zsh'), /'--context=\[\]:names:_crane_asked contexts'/)
    assert.match(
      completionScript(aProgram(), 'fish'),
      /-f -a '\(crane __complete clusters -- \(commandline -opc\)\[2\.\.-1\] \(commandline -ct\) 2>\/dev\/null\)'/,
    )
  })

  it('come from what the line says so far', () => {
    assert.deepEqual(flagsIn(['why', '--kubeconfig', 'a', '--context', 'east,west', 'pr']), { kubeconfig: 'a', context: ['east', 'west'] })
    assert.deepEqual(flagsIn(['why', '--kubeconfig=a', '--context=east', '--context', '=', 'west', '']), {
      kubeconfig: 'a',
      context: ['east', 'west'],
    })
    assert.deepEqual(flagsIn(['why', '--all-contexts', '--kubeconfig']), { allContexts: true })
  })

  it('are none, silently, when nobody answers', async () => {
    const { namesFor } = await import('./names.ts')
    for (const what of ['clusters', 'pools', 'contexts'] as const) {
      assert.deepEqual(await namesFor(what, ['--kubeconfig', join(folder, 'none')], systemClock), [])
    }
  })
})

describe('completion in bash', () => {
  mkdirSync(join(folder, 'yard one'))
  // Stands for the program, which scripts ask for names.
  writeFileSync(
    join(folder, 'crane'),
    '#!/bin/sh\n[ "$1 $2" = "__complete clusters" ] && printf "prod\\nstage\\n"\n[ "$*" = "__complete contexts -- fleet show --context " ] && echo east\n',
    { mode: 0o755 },
  )
  writeFileSync(join(folder, 'yard.txt'), '')
  const script = completionScript(aProgram(), 'bash')

  /** What bash offers for the last word, as readline would split the line. */
  const offered = (...words: readonly string[]): readonly string[] => {
    const ask = `${script}\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_crane\nprintf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` }
    const { stdout } = spawnSync('bash', ['--norc', '-c', ask, 'bash', 'crane', ...words], { cwd: folder, encoding: 'utf8', env })
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .toSorted()
  }

  for (const [words, expected] of [
    [[''], ['fleet', 'help', 'lift']],
    [['l'], ['lift']],
    [['-'], ['--help', '--version', '-V', '-h']],
    [
      ['fleet', ''],
      ['help', 'list', 'show'],
    ],
    [['fleet', 'list', '--a'], ['--all']],
    [['help', 'f'], ['fleet']],
    [
      ['fleet', 'show', ''],
      ['prod', 'stage'],
    ],
    [['fleet', 'show', 'p'], ['prod']],
    [['fleet', 'show', '--context', ''], ['east']],
    [
      ['lift', '--h'],
      ['--height', '--help', '--hook'],
    ],
    [
      ['lift', ''],
      ['beam', 'plate'],
    ],
    [['lift', 'beam', ''], []],
    [['lift', '--fast', 'b'], ['beam']],
    [
      ['lift', '-o', ''],
      ['json', 'text'],
    ],
    [['lift', '--output', '=', 'j'], ['json']],
    [
      ['lift', '--output', '='],
      ['json', 'text'],
    ],
    [
      ['lift', '--output', '=', 'json', ''],
      ['beam', 'plate'],
    ],
    [['lift', '--height', 'fleet', '--f'], ['--fast']],
    [['lift', '--height', ''], []],
    [['lift', '--yard', 'y'], ['yard one']],
    [
      ['lift', '--hook', 'y'],
      ['yard one', 'yard.txt'],
    ],
    [['sink', ''], []],
  ] satisfies [string[], string[]][]) {
    it(`crane ${words.map((word) => word || '…').join(' ')} offers ${expected.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(offered(...words), expected)
    })
  }
})
