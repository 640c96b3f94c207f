import { type Clock, VirtualClock } from '@windlass/core'
import type { Context } from './context.ts'
import { main } from './main.ts'

/** What a command said and how it ended. */
export interface Ended {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, for tests of what needs no server. */
export async function run(...args: readonly string[]): Promise<Ended> {
  const { context, said } = aContext()
  const status = await main(args, context)
  return { status, ...said() }
}

export function aContext(clock: Clock = new VirtualClock()): { context: Context; said: () => Omit<Ended, 'status'> } {
  let out = ''
  let err = ''
  const context: Context = {
    output: {
      print: (text) => void (out += `${text}\n`),
      complain: (text) => void (err += `${text}\n`),
    },
    clock,
    process: { on: () => {}, off: () => {}, exit: () => {} },
  }
  return { context, said: () => ({ out, err }) }
}
