import { formatTime, type Instant, parseTime } from '@windlass/core'
import { type NewSilence, type Silence } from '../../windows/index.ts'

/** Silences as Alertmanager keeps them: those that are over stay in the list, and tell whether they ran out or were ended. */
export class SimulatedAlertmanager {
  readonly #now: () => Instant
  readonly #silences: Omit<Silence, 'status'>[] = []

  constructor(now: () => Instant) {
    this.#now = now
  }

  list(): readonly Silence[] {
    const now = this.#now()
    return this.#silences.map((silence) => ({ ...silence, status: { state: stateAt(silence, now) } }))
  }

  /** One that is in force. */
  get live(): readonly Silence[] {
    return this.list().filter(({ status }) => status.state !== 'expired')
  }

  create(silence: NewSilence): void {
    const now = this.#now()
    const [starts, ends] = [parseTime(silence.startsAt) ?? now, parseTime(silence.endsAt) ?? now]
    if (ends <= now) throw new Error('Alertmanager answered with status 400: end time can not be in the past')
    const startsAt = formatTime(Math.max(starts, now))
    this.#silences.push({ ...silence, startsAt, updatedAt: formatTime(now), id: `silence-${this.#silences.length + 1}` })
  }

  end(id: string): void {
    const index = this.#silences.findIndex((silence) => silence.id === id)
    const silence = this.#silences[index]
    if (silence === undefined) throw new Error('Alertmanager answered with status 404: silence not found')
    if ((parseTime(silence.endsAt) ?? 0) <= this.#now()) return
    const at = formatTime(this.#now())
    this.#silences[index] = { ...silence, endsAt: at, updatedAt: at }
  }
}

function stateAt({ startsAt, endsAt }: Omit<Silence, 'status'>, now: Instant): Silence['status']['state'] {
  if ((parseTime(endsAt) ?? 0) <= now) return 'expired'
  return (parseTime(startsAt) ?? 0) > now ? 'pending' : 'active'
}
