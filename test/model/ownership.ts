import { type Field, fields, type Item, type Owners, type Values } from './item.ts'

/**
 * Who owns what after a write, for objects made of single values:
 *
 * - whoever changes a value by an update owns it, and nobody else does any more;
 * - whoever applies a value owns it, together with everybody else who wants the same;
 * - what an applier no longer names goes if nobody else owns it.
 */

/** An update by `manager` that leaves `next`. */
export function updated({ values, owners }: Pick<Item, 'values' | 'owners'>, manager: string, next: Values): Owners {
  const changed = fields.filter((field) => values[field] !== next[field])
  const kept = without(owners, changed)
  const own = new Set([...(kept.get(`Update ${manager}`) ?? []), ...changed.filter((field) => next[field] !== undefined)])
  return withOwner(kept, `Update ${manager}`, own)
}

export interface Applied {
  /** Fields that others own and want otherwise. With any, an apply that does not insist is refused. */
  readonly conflicts: readonly Field[]
  readonly values: Values
  readonly owners: Owners
}

export function applied({ values, owners }: Pick<Item, 'values' | 'owners'>, manager: string, wanted: Values): Applied {
  const self = `Apply ${manager}`
  const named = fields.filter((field) => wanted[field] !== undefined)
  const isOwnedByOthers = (field: Field): boolean => [...owners].some(([owner, own]) => owner !== self && own.has(field))
  const changed = named.filter((field) => values[field] !== wanted[field])
  const dropped = fields.filter((field) => owners.get(self)?.has(field) === true && !named.includes(field) && !isOwnedByOthers(field))
  const next = Object.fromEntries(
    fields.flatMap((field) => {
      const value = named.includes(field) ? wanted[field] : values[field]
      return value === undefined || dropped.includes(field) ? [] : [[field, value]]
    }),
  )
  return { conflicts: changed.filter(isOwnedByOthers), values: next, owners: withOwner(without(owners, changed), self, new Set(named)) }
}

function without(owners: Owners, gone: readonly Field[]): Owners {
  const kept = [...owners].map(([owner, own]) => [owner, own.difference(new Set(gone))] as const)
  return new Map(kept.filter(([, own]) => own.size > 0))
}

function withOwner(owners: Owners, owner: string, own: ReadonlySet<Field>): Owners {
  const others = [...owners].filter(([other]) => other !== owner)
  return new Map(own.size === 0 ? others : [...others, [owner, own]])
}

export function sameOwners(a: Owners, b: Owners): boolean {
  return a.size === b.size && [...a].every(([owner, own]) => own.symmetricDifference(b.get(owner) ?? new Set()).size === 0)
}
