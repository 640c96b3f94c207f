import type { Clock, Random } from '@windlass/core'
import { availabilityProblem, type DependencyAttempt, judgeAttempt } from '../availability/index.ts'
import { seen, unseen } from '../observed/seen.ts'
import { following } from './following.ts'
import type { Dependencies } from './types.ts'
import type { Ways } from './ways.ts'

export interface DependencyOptions {
  readonly clock: Clock
  readonly random: Random
  readonly ways: Ways
  readonly userAgent: string
}

/** External dependencies: each is asked up to three times, all of them at once. */
export function dependencyChecks(options: DependencyOptions): Dependencies {
  return {
    async check(urls, timeoutSeconds, signal) {
      const failures = await Promise.all(
        [...new Set(urls)].map(async (url) => ({ url, why: await whyNot(url, timeoutSeconds * 1000, options, signal) })),
      )
      const problem = availabilityProblem(failures.flatMap(({ url, why }) => (why === undefined ? [] : [{ url: shown(url), why }])))
      return problem === undefined ? seen(true) : unseen(problem)
    },
  }
}

/** Why a dependency is not available; undefined when it is. */
async function whyNot(url: string, limit: number, options: DependencyOptions, signal: AbortSignal): Promise<string | undefined> {
  const { clock, random } = options
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return 'it is no URL of HTTP: correct it in extDependencyAvailabilityChecks'
  let waited = 0
  for (let count = 1; ; count++) {
    const verdict = judgeAttempt(await attempt(url, limit, options, signal), count, waited, random)
    if (verdict.is === 'available') return undefined
    if (verdict.is === 'failed') return verdict.why
    waited = verdict.after
    await clock.sleep(waited, signal)
  }
}

async function attempt(
  url: string,
  limit: number,
  { ways, clock, userAgent }: DependencyOptions,
  signal: AbortSignal,
): Promise<DependencyAttempt> {
  return following({ ways, clock, url, limit, headers: { 'user-agent': userAgent } }, signal)
}

/** People put passwords into URLs. */
function shown(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  if (parsed.password === '' && parsed.username === '') return url
  parsed.password = ''
  parsed.username = ''
  return parsed.href
}
