import { readFile } from 'node:fs/promises'

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The text of a file. Rejects as Node does, with a `code`. */
export type ReadFile = (path: string) => Promise<string>

/** What is around the program, as far as it says where clusters are. */
export interface Surroundings {
  readonly env: Environment
  readonly readFile: ReadFile
}

/** The real ones. The only place that reaches for them: everything else in this folder is given its surroundings. */
export const systemSurroundings: Surroundings = {
  env: process.env,
  readFile: (path) => readFile(path, 'utf8'),
}
