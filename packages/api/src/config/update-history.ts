import type { TArray, TObject } from 'typebox'
import { standardConditions } from '../meta/index.ts'
import { choice, flag, knownWord, list, nullable, object, optional, text, time } from '../schema/index.ts'
import type { ListOptions } from '../schema/options.ts'

const releaseFields = {
  version: text('The version; empty while it is not known.'),
  image: text('The pullspec of the release image.'),
  url: optional(text('Where the errata are described.')),
  channels: optional(list('The channels that offer it.', text('A channel.'), { as: 'set' })),
}

/** A release that a cluster runs or could run. */
export function release(description: string): TObject<typeof releaseFields> {
  return object(description, releaseFields)
}

const historyEntry = object('One update.', {
  state: knownWord('Whether it was fully applied.', ['Completed', 'Partial']),
  startedTime: time('When it began.'),
  completionTime: nullable(time('When it ended, by completion or by the next update; null while it runs.')),
  version: optional(text('The version; absent while it is not known.')),
  image: text('The pullspec of the release image.'),
  verified: flag('Whether the signature of the image was verified.'),
  acceptedRisks: optional(text('Checks that were overridden, in words.')),
})

/** The updates of a cluster, newest first. `completionTime` is always there: null is how a running update is written. */
export function updateHistory(options: Pick<ListOptions, 'as'> = {}): TArray<typeof historyEntry> {
  return list('The updates, newest first.', historyEntry, options)
}

export function availableUpdates(options: Pick<ListOptions, 'as' | 'maxItems'>) {
  return nullable(list('Updates that are recommended; null when they have not been looked up.', release('One update.'), options))
}

export function conditionalUpdates(options: { readonly maxItems?: number; readonly maxRisks?: number } = {}) {
  const { maxRisks, ...limits } = options
  const risk = object('Something that may go wrong.', {
    name: text('What the risk is called.', { minLength: 1 }),
    url: text('Where it is described.', { format: 'uri', minLength: 1 }),
    message: text('What may go wrong, in words.', { minLength: 1 }),
    matchingRules: list(
      'How to find out whether this cluster is exposed; the first that can be evaluated counts.',
      object('One rule.', {
        type: choice('How to decide.', ['Always', 'PromQL']),
        promql: optional(object('A query to the monitoring of the cluster.', { promql: text('The query: 1 is exposed, 0 is not.') })),
      }),
      { minItems: 1, as: 'atomic' },
    ),
  })
  return list(
    'Updates that are recommended unless a named risk applies to this cluster.',
    object('One such update.', {
      release: release('The release.'),
      risks: list('The risks.', risk, { minItems: 1, ...(maxRisks === undefined ? {} : { maxItems: maxRisks }), keys: ['name'] }),
      conditions: optional(standardConditions()),
    }),
    { ...limits, as: 'atomic' },
  )
}
