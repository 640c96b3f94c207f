import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, run } from '../../../fixtures.ts'

/**
 * Whole situations: `input.yaml` has the objects of a cluster, `expected.txt` what `windlass status` says about them, `expected-details.txt` the same with
 * `--details=all`. The first lines of the input say what it is about, which command line to try, and how that ends.
 */
export interface Situation {
  readonly name: string
  readonly folder: string
  /** Of the command line, without those that say how much to show. */
  readonly args: readonly string[]
  readonly exitStatus: number
}

const folder = import.meta.dirname

export const goldenFiles = { 'expected.txt': [], 'expected-details.txt': ['--details=all'] } as const
export type GoldenFile = keyof typeof goldenFiles

export function situations(): readonly Situation[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => situationNamed(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export function situationNamed(name: string): Situation {
  const [, command = '', ending = ''] = readFileSync(join(folder, name, 'input.yaml'), 'utf8').split('\n')
  const args = /^# windlass (status .*)$/.exec(command)?.[1]?.split(' ')
  const exitStatus = /^# ends with (\d)$/.exec(ending)?.[1]
  if (args === undefined || exitStatus === undefined) {
    throw new Error(`golden/${name}/input.yaml: its second line should be "# windlass status …", its third "# ends with 0"`)
  }
  const place = join(folder, name)
  return { name, folder: place, args: args.map((arg) => (arg === name ? place : arg)), exitStatus: Number(exitStatus) }
}

export function runSituation({ args }: Situation, file: GoldenFile): Promise<Ended> {
  return run(...args, ...goldenFiles[file])
}

export function readExpected({ name }: Situation, file: GoldenFile): string {
  return readFileSync(join(folder, name, file), 'utf8')
}

export function writeExpected({ name }: Situation, file: GoldenFile, text: string): void {
  writeFileSync(join(folder, name, file), text)
}
