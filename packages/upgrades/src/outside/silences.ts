import { type Seen, seen, unseen } from '../observed/seen.ts'
import type { Matcher, Silence } from '../windows/silence.ts'

/**
 * Reads Alertmanager's list of silences. Those of other people may carry whatever they like; what is missing is empty. A list with something in it that
 * is no silence at all was sent by something that is no Alertmanager.
 */
export function readSilences(body: unknown): Seen<readonly Silence[]> {
  if (!Array.isArray(body)) return unseen('Alertmanager answered with something that is no list of silences')
  const silences = body.map(silenceOf)
  const read = silences.filter((silence) => silence !== undefined)
  return read.length === silences.length ? seen(read) : unseen('Alertmanager answered with a list in which not everything is a silence')
}

function silenceOf(item: unknown): Silence | undefined {
  if (!isRecord(item)) return undefined
  const { id, status } = item
  const state = isRecord(status) ? status['state'] : undefined
  if (typeof id !== 'string' || id === '' || (state !== 'active' && state !== 'pending' && state !== 'expired')) return undefined
  const matchers = Array.isArray(item['matchers']) ? item['matchers'].filter(isRecord).map(matcherOf) : []
  return {
    id,
    status: { state },
    createdBy: textOf(item, 'createdBy'),
    comment: textOf(item, 'comment'),
    startsAt: textOf(item, 'startsAt'),
    endsAt: textOf(item, 'endsAt'),
    updatedAt: textOf(item, 'updatedAt'),
    matchers,
  }
}

function matcherOf(item: Readonly<Record<string, unknown>>): Matcher {
  return { name: textOf(item, 'name'), value: textOf(item, 'value'), isRegex: item['isRegex'] === true }
}

function textOf(record: Readonly<Record<string, unknown>>, field: string): string {
  const value = record[field]
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
