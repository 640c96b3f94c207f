import { spawn } from 'node:child_process'

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. One that cannot be started has no status, and its reason on standard error. */
export function command(program: string, args: readonly string[], folder?: string, env?: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder, env })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const isAbsent = 'code' in error && error.code === 'ENOENT'
      resolve({ status: null, stdout, stderr: isAbsent ? `${program} is not installed` : error.message })
    })
    child.once('close', (status) => resolve({ status, stdout, stderr: stderr.trimEnd() }))
  })
}
