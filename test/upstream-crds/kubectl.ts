import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'

/** The kubectl in the path, if there is one. */
export const kubectl = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'kubectl'))
  .find(isExecutable)

/** What kubectl says on standard error. `home` is where it may keep its caches. */
export async function complaints(home: string, kubeconfig: string, args: readonly string[], input = ''): Promise<string> {
  if (kubectl === undefined) throw new Error('there is no kubectl')
  const env = { ...process.env, HOME: home, KUBECONFIG: kubeconfig }
  const child = spawn(kubectl, args, { env, stdio: ['pipe', 'ignore', 'pipe'] })
  child.stdin.end(input)
  return text(child.stderr)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
