import { silentLog } from '@windlass/kube'
import type { Context } from '../context.ts'
import { membersOf, type MemberFlags } from '../dashboard/members.ts'
import { Failure } from '../failures.ts'
import { clusterSource, type Source } from './source.ts'

/** What members answered to one question, and who could not be asked. */
export interface MemberAnswers<R> {
  readonly answers: readonly { readonly member: string; readonly answer: R }[]
  readonly lost: readonly LostMember[]
}

export interface LostMember {
  readonly member: string
  readonly message: string
}

/**
 * Asks every member that the flags lead to, or the one of them that is named.
 *
 * # Errors
 *
 * `Failure` when the flags do not lead to the one that is named. When nobody can be asked, why.
 */
export async function askMembers<R>(
  { clock }: Context,
  flags: MemberFlags,
  only: string | undefined,
  ask: (source: Source) => Promise<R>,
): Promise<MemberAnswers<R>> {
  const all = await membersOf(flags, { clock, log: silentLog })
  const members = all.filter(({ source }) => only === undefined || source.name === only)
  if (members.length === 0) {
    const names = all.map(({ source }) => source.name).join(', ')
    throw new Failure(`${only} is none of the members ${names}: choose others with --context, or --all-contexts`)
  }
  const outcomes = await Promise.allSettled(
    members.map(async ({ source }) => {
      const client = await source.connect()
      try {
        return await ask(clusterSource(client, () => clock.now()))
      } finally {
        await client.close()
      }
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined && outcomes.every(({ status }) => status === 'rejected')) throw failed.reason
  const named = outcomes.map((outcome, index) => ({ member: members[index]?.source.name ?? '', outcome }))
  return {
    answers: named.flatMap(({ member, outcome }) => (outcome.status === 'fulfilled' ? [{ member, answer: outcome.value }] : [])),
    lost: named.flatMap(({ member, outcome }) => (outcome.status === 'rejected' ? [{ member, message: messageOf(outcome.reason) }] : [])),
  }
}

/** Says who could not be asked, and why. */
export function complainOfLost({ output }: Context, lost: readonly LostMember[]): void {
  for (const { member, message } of lost) output.complain(`windlass: ${member} cannot be reached: ${message}`)
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
