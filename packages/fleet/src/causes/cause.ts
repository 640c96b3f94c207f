import type { KubernetesObject, Resource } from '@windlass/api'
import type { CauseLink, ObjectPlace } from '../contract/index.ts'

/**
 * How likely it is that somebody has to do something, most likely first.
 *
 * - `Broken`: it will not mend itself. `Held`: somebody, or a rule, keeps it back on purpose.
 * - `Waiting`: it takes longer than it should, or nobody knows. `Working`: it goes on as usual.
 * - `Notice`: it holds nothing up now.
 */
export type Weight = 'Broken' | 'Held' | 'Waiting' | 'Working' | 'Notice'

/** Something that a cluster waits for, from what is right below the cluster down to the root. */
export interface Cause {
  readonly weight: Weight
  readonly links: readonly [CauseLink, ...CauseLink[]]
  /** How many parts of the cluster wait for the root. */
  readonly explains: number
  readonly remedy?: string
  /** What `kubectl` is to be told; it shows the root unless told. */
  readonly command?: string
}

/** What is wrong with one object, and where that leads. */
export interface Trouble {
  readonly weight: Weight
  readonly links: readonly [CauseLink, ...CauseLink[]]
  readonly remedy?: string
  readonly command?: string
}

type Named = Pick<KubernetesObject, 'metadata'>

export function placeOf({ kind }: Resource, { metadata: { namespace, name = '' } }: Named, side: ObjectPlace['side']): ObjectPlace {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name, side }
}

/** What is left out when it is empty. */
interface Details {
  readonly reason?: string | undefined
  readonly since?: string | null | undefined
}

/** `says` reads on from the name of the object, and begins and ends without ceremony: `its image cannot be pulled`. */
export function linkTo(object: ObjectPlace, says: string, { reason, since }: Details = {}): CauseLink {
  return {
    object,
    says: oneLine(says),
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(since === undefined || since === null ? {} : { since }),
  }
}

/** The last link: where the chain ends. */
export function rootOf({ links }: Pick<Cause, 'links'>): CauseLink {
  return links.at(-1) ?? links[0]
}

/** An object as one text. */
export function keyOf({ kind, namespace = '', name, side }: ObjectPlace): string {
  return `${side} ${kind} ${namespace}/${name}`
}

/** The same trouble, seen from an object that waits for it. */
export function behind(above: CauseLink, { weight, links, remedy, command }: Trouble): Trouble {
  return {
    weight,
    links: [above, ...links],
    ...(remedy === undefined ? {} : { remedy }),
    ...(command === undefined ? {} : { command }),
  }
}

export function causeOf(trouble: Trouble, explains = 1): Cause {
  return { ...trouble, explains }
}

const order: Readonly<Record<Weight, number>> = { Broken: 0, Held: 0, Waiting: 1, Working: 2, Notice: 3 }

/** The worse of two: what is broken above is broken, however well it goes on below. */
export function worse(a: Weight, b: Weight): Weight {
  return order[a] <= order[b] ? a : b
}

/** The worst first; of the same weight, what has been so for longest. By name in the end, so that the answer is always the same. */
export function byWeight(a: Trouble, b: Trouble): number {
  const [left, right] = [rootOf(a), rootOf(b)]
  return order[a.weight] - order[b.weight] || compare(left.since ?? '~', right.since ?? '~') || compare(left.object.name, right.object.name)
}

/** The order in which chains are told: what somebody has to do something about, what explains most, what is oldest. */
export function byLikelihood(a: Cause, b: Cause): number {
  return order[a.weight] - order[b.weight] || b.explains - a.explains || byWeight(a, b)
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

const longest = 400

/** Messages come from everywhere, and some are pages long. */
export function oneLine(text: string): string {
  // What is said of an object often ends with its own words, and some have none.
  const line = text.trim().replaceAll(/\s+/g, ' ').replace(/[.:]$/, '')
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}
