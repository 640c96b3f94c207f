import type { CauseChain, CauseLink, ClusterView } from '@windlass/fleet/contract'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { ageOf, plural } from '../../src/words/index.ts'
import { now } from '../clock.ts'
import { Command } from '../parts/copy.tsx'
import { Panel } from '../parts/panel.tsx'
import { why } from '../server/cluster.ts'

/** Why it waits: from the cluster down to the object at the root, with what to do about it. */
export function WhyPanel({ view }: { readonly view: ClusterView }): JSX.Element {
  const answer = why.value
  const isBad = view.row.attention === 'Stalled' || view.row.attention === 'Failing'
  const summary = view.row.summary === undefined ? null : <p class="verdict">{view.row.summary}</p>
  return (
    <Panel title="Why is it waiting" class={`why ${isBad ? 'why-bad' : ''}`}>
      {answer.state === 'asking' ? (
        <>
          {summary}
          <p class="dim">Looking for the cause …</p>
        </>
      ) : answer.state === 'failed' ? (
        <>
          {summary}
          <p class="tone-bad">The cause cannot be told: {answer.problem}</p>
          <p class="dim">It is asked again by itself, twice a minute.</p>
        </>
      ) : (
        <>
          <p class="verdict">{answer.view.verdict}</p>
          <Chains chains={answer.view.chains} />
          {answer.view.unknown.length === 0 ? null : (
            <div class="unknown">
              <strong>{plural(answer.view.unknown.length, 'thing')} could not be looked at:</strong>
              <ul>
                {answer.view.unknown.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </Panel>
  )
}

/** As many are shown at once: the first is the likeliest, and a list of twenty explains nothing. */
const few = 3

function Chains({ chains }: { readonly chains: readonly CauseChain[] }): JSX.Element {
  const isOpen = useSignal(false)
  const shown = isOpen.value ? chains : chains.slice(0, few)
  return (
    <>
      {shown.map((chain, index) => (
        <Chain key={chain.links.map(({ object }) => `${object.kind}/${object.name}`).join()} chain={chain} rank={index} />
      ))}
      {chains.length > few ? (
        <button type="button" class="button small more" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? 'Show the first only' : `Show ${plural(chains.length - few, 'further cause')}`}
        </button>
      ) : null}
    </>
  )
}

function Chain({ chain, rank }: { readonly chain: CauseChain; readonly rank: number }): JSX.Element {
  return (
    <div class="chain">
      {rank === 0 ? null : <p class="chain-other">{rank === 1 ? 'Also' : 'And'}</p>}
      <ol class="links">
        {chain.links.map((link, index) => (
          <Link key={`${link.object.kind}/${link.object.name}`} link={link} isRoot={index === chain.links.length - 1} />
        ))}
      </ol>
      {chain.remedy === undefined && chain.command === undefined ? null : (
        <div class="remedy">
          {chain.remedy === undefined ? null : <p>{chain.remedy}</p>}
          {chain.command === undefined ? null : <Command text={chain.command} />}
        </div>
      )}
    </div>
  )
}

function Link({ link, isRoot }: { readonly link: CauseLink; readonly isRoot: boolean }): JSX.Element {
  const { object, says, reason, since } = link
  const place = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`
  return (
    <li class={isRoot ? 'link root' : 'link'}>
      <span class="link-kind">
        {object.kind}
        {object.side === 'guest' ? ' in the cluster' : ''}
      </span>
      <span class="link-name clip" title={place}>
        {object.name}
      </span>
      <span class="link-says">{says}</span>
      <span class="link-note">
        {reason === undefined ? null : <code>{reason}</code>}
        {since === undefined ? null : <span>for {ageOf(since, now.value)}</span>}
      </span>
    </li>
  )
}
