/**
 * Completion scripts for shells. They are made from the commands as they are, so they cannot fall behind them.
 *
 * - `tree.ts`: commander's commands as plain data.
 * - `bash.ts`, `zsh.ts`, `fish.ts`: that data as a script. Each complete in itself: no helper package. Only for names of clusters, pools and contexts it calls `windlass` back.
 * - `names.ts`: those names, by what the line says so far (`line.ts`), as short as they can be told apart (`spelling.ts`).
 */
import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { completionTree, type CompletedCommand } from './tree.ts'
import { zshScript } from './zsh.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

const writers: Readonly<Record<Shell, (program: CompletedCommand) => string>> = { bash: bashScript, zsh: zshScript, fish: fishScript }

export function completionScript(program: Command, shell: Shell): string {
  return writers[shell](completionTree(program))
}
