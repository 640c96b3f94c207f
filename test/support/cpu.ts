import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Milliseconds that all threads of a process have run so far. The system counts them in hundredths of a second. */
export function cpuOf({ pid }: ChildProcess): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) * 10
}
