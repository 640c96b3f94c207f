/** Something that can be wrong with a process. */
export interface HealthCheck {
  /** One word: `caches`. */
  readonly name: string
  /** `liveness`: only a restart helps. `readiness`: it cannot do its work at the moment. */
  readonly of: 'liveness' | 'readiness'
  /** What is wrong; undefined when nothing is. */
  readonly problem: () => string | undefined
}

export interface Verdict {
  readonly isHealthy: boolean
  /** One line for each check, in the form that kubectl and people know from API servers. */
  readonly text: string
}

/** What `/readyz` and its like answer: `ok`, or everything when it was asked for or something is wrong. */
export function judge(endpoint: string, checks: readonly HealthCheck[], isVerbose: boolean): Verdict {
  const lines: string[] = []
  let isHealthy = true
  for (const { name, problem } of checks) {
    const found = problem()
    lines.push(found === undefined ? `[+]${name} ok` : `[-]${name} failed: ${found}`)
    isHealthy &&= found === undefined
  }
  if (isHealthy && !isVerbose) return { isHealthy, text: 'ok' }
  return { isHealthy, text: `${lines.join('\n')}\n${endpoint} check ${isHealthy ? 'passed' : 'failed'}\n` }
}
