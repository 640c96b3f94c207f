import type { MemberView } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { ageOf, momentOf, plural } from '../../src/words/index.ts'
import { now } from '../clock.ts'
import { Empty, Notice } from '../parts/panel.tsx'
import { Sign } from '../parts/sign.tsx'
import { choose, query, toggled } from './query.ts'

/** Where the fleet is read from, and what is not known of it. */
export function Members({ members }: { readonly members: readonly MemberView[] }): JSX.Element {
  return (
    <>
      <MemberNotices members={members} />
      {members.length > 1 ? (
        <section class="members" aria-label="Members; each is a filter of the table">
          {members.map((member) => (
            <Member key={member.name} member={member} />
          ))}
        </section>
      ) : null}
    </>
  )
}

/**
 * What is not known, in words and before anything else: clusters of a member that cannot be reached are not gone, and what the user of another may not read is
 * not missing.
 */
export function MemberNotices({ members }: { readonly members: readonly MemberView[] }): JSX.Element {
  return (
    <>
      {members.map((member) => (
        <MemberNotice key={member.name} member={member} />
      ))}
    </>
  )
}

function MemberNotice({ member }: { readonly member: MemberView }): JSX.Element | null {
  const { name, state, since, message } = member
  if (state === 'Unreachable') {
    return (
      <Notice tone="bad" isAlert>
        <strong>
          <Sign tone="bad" /> {name} cannot be reached for {ageOf(since, now.value)}.
        </strong>{' '}
        {knownOf(member)} {message}
      </Notice>
    )
  }
  if (state !== 'Synced' || message === undefined) return null
  return (
    <Notice tone="odd">
      <strong>
        <Sign tone="odd" /> {name} is partly known.
      </strong>{' '}
      {message}
    </Notice>
  )
}

/** Where there are no clusters to show, whether that is because there are none. */
export function NoClusters({ members }: { readonly members: readonly MemberView[] }): JSX.Element {
  const waiting = members.filter(({ state }) => state !== 'Synced')
  if (waiting.length > 0) {
    return (
      <Empty title="No clusters are known yet">
        {waiting.map(({ name }) => name).join(', ')} {waiting.length === 1 ? 'has' : 'have'} not answered. That is not the same as having
        none.
      </Empty>
    )
  }
  const partial = members.filter(({ isPartial }) => isPartial === true)
  if (partial.length > 0) {
    return <Empty title="No clusters are known">Not everything of {partial.map(({ name }) => name).join(', ')} may be read.</Empty>
  }
  return (
    <Empty title="The fleet has no clusters">
      Create a HostedCluster on one of its management clusters and it appears here, or start <code>windlass up</code> for a fleet to try.
    </Empty>
  )
}

function knownOf({ clusters, lastSynced }: MemberView): string {
  if (lastSynced === undefined) return 'It has never answered: whether it has clusters is not known.'
  return `${plural(clusters, 'cluster is', 'clusters are')} shown as last known at ${momentOf(lastSynced)}.`
}

const words = { Synced: 'in sync', Connecting: 'connecting', Unreachable: 'unreachable' } as const
const tones = { Synced: 'good', Connecting: 'busy', Unreachable: 'bad' } as const

function Member({ member }: { readonly member: MemberView }): JSX.Element {
  const { members } = query.value
  const { name, state, clusters, since, message } = member
  const isPartly = state === 'Synced' && message !== undefined
  return (
    <button
      type="button"
      class={`member member-${state.toLowerCase()}`}
      aria-pressed={members.includes(name)}
      onClick={() => choose({ members: toggled(members, name) })}
    >
      <Sign tone={isPartly ? 'odd' : tones[state]} />
      <span class="member-name">{name}</span>
      <span class="member-note">
        {isPartly ? 'partly known' : words[state]}
        {state === 'Synced' ? '' : ` for ${ageOf(since, now.value)}`} ·{' '}
        {state === 'Connecting' ? 'clusters not known yet' : plural(clusters, 'cluster')}
      </span>
    </button>
  )
}
