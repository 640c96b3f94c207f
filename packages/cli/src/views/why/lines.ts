import type { CauseChain, CauseLink, ObjectPlace, WhyView } from '@windlass/fleet'
import type { Instant } from '@windlass/core'
import { type Paint, plain } from '../colours.ts'
import { ageOf } from '../fleet/lines.ts'

export interface WhyLayout {
  readonly now: Instant
  /** As people name the cluster. */
  readonly name: string
  /** With moments beside ages. */
  readonly isWide?: boolean
  readonly paint?: Paint
}

/** What `windlass why` shows people: the verdict, then every chain down to its root, with what to do about it. */
export function whyLines({ verdict, chains, unknown }: WhyView, layout: WhyLayout): readonly string[] {
  return [
    layout.name,
    verdict,
    ...chains.flatMap((chain, index) => ['', ...chainLines(chain, chains.length > 1 ? `${index + 1}. ` : '', layout)]),
    ...(unknown.length === 0 ? [] : ['', 'Not known:', ...unknown.map((sentence) => `  ${sentence}`)]),
  ]
}

function chainLines({ links, remedy, command }: CauseChain, number: string, layout: WhyLayout): readonly string[] {
  const { paint = plain } = layout
  const indent = ' '.repeat(number.length)
  const last = links.length - 1
  return [
    ...links.map((link, depth) => {
      const lead = depth === 0 ? number : `${indent}${'   '.repeat(depth - 1)}└─ `
      const text = linkText(link, layout)
      return `${lead}${depth === last ? paint(text, 'red') : text}`
    }),
    ...(remedy === undefined ? [] : [`${indent}What to do: ${remedy}`]),
    ...(command === undefined ? [] : [`${indent}Run:        ${command}`]),
  ]
}

function linkText({ object, says, reason, since }: CauseLink, { now, isWide = false }: WhyLayout): string {
  const age = since === undefined ? [] : [`for ${ageOf(since, now)}${isWide ? `, since ${since}` : ''}`]
  const notes = [...(reason === undefined ? [] : [reason]), ...age]
  return `${placeText(object)}: ${says}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

/** `Pod clusters-prod/kube-apiserver-7d9`; of what is in the cluster itself, that it is there. */
export function placeText({ kind, namespace, name, side }: ObjectPlace): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${side === 'guest' ? ' in the cluster' : ''}`
}
