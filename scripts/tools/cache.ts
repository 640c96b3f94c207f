import { join } from 'node:path'

/** Tools that tests fetched for themselves. Git ignores the folder, and nothing that is installed is ever touched. */
export const toolCache = join(import.meta.dirname, '../../.windlass/tools')

/** Thrown when a test needs a tool that is neither here nor to be had. Says which, what was tried, and what to do. */
export class MissingToolError extends Error {
  override readonly name = 'MissingToolError'
  readonly tool: string

  constructor(tool: string, tried: string, remedy: string) {
    super(`${tool} is missing: ${tried}\n  ${remedy}`)
    this.tool = tool
  }
}
