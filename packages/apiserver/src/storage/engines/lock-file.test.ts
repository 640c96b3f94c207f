import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { it } from 'node:test'
import { takeLock } from './lock-file.ts'

const hasProc = existsSync('/proc/self/stat')

it('a process that has ended does not keep the directory, though nobody has asked how it ended', { skip: !hasProc }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-lock-'))
  // The shell turns into a program that never asks after its children. The child ends after that: the shell itself would ask.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await sleep(10)
    process.kill(pid)
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await sleep(10)
    writeFileSync(join(directory, 'lock'), JSON.stringify({ pid }))
    takeLock(directory).release()
    writeFileSync(join(directory, 'lock'), JSON.stringify({ pid: parent.pid }))
    assert.throws(() => takeLock(directory), /is in use by process/)
  } finally {
    parent.kill()
    rmSync(directory, { recursive: true })
  }
})
