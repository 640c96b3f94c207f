import { seededRandom } from '@windlass/core'
import { type Upgrader, upgraderFor } from '@windlass/upgrades'
import type { Checkpoint } from '../support/guarded.ts'
import { type Asked, isCommencement, type Known, type Mark, marks } from './marks.ts'

const moments = ['before', 'after'] as const

/** A death that is to come: `before` what the mark is about has happened, or `after`, when nobody has heard of it yet. */
interface Death {
  readonly step: string
  readonly mark: Mark
  readonly moment: (typeof moments)[number]
}

export interface KillsOptions {
  readonly seed: string
  readonly upgrader: Upgrader
  readonly kill: () => void
  readonly commentOf: Known['commentOf']
}

/** Kills the operator once in every step of an upgrade, in the middle of something that it asks of somebody. What that is, is chosen by the seed. */
export class Kills {
  #left: readonly Death[]
  readonly #options: KillsOptions
  readonly #done: Death[] = []
  #hasCommenced = false
  #isDead = false

  constructor(options: KillsOptions) {
    this.#options = options
    this.#left = options.upgrader.steps.flatMap(({ name }) => deathsIn(name, options))
  }

  /** `Scale up: before POST of a machine set`, in the order in which they came. */
  get done(): readonly string[] {
    return this.#done.map(({ step, moment, mark }) => `${step}: ${moment} ${mark.what}`)
  }

  /** Steps that it has died in. */
  get steps(): readonly string[] {
    return this.#done.map(({ step }) => step)
  }

  /** Whether it has just been killed. What it asked before it died reaches nobody. */
  get isDead(): boolean {
    return this.#isDead
  }

  revive(): void {
    this.#isDead = false
  }

  /** What has not come yet. */
  get left(): readonly string[] {
    return this.#left.map(({ step, moment, mark }) => `${step}: ${moment} ${mark.what}`)
  }

  checkpointFor(service: Asked['service']): Checkpoint {
    return async (moment, passing) => {
      const asked = { service, ...passing }
      if (moment === 'after' && isCommencement(asked)) this.#hasCommenced = true
      if (this.#isDead) return false
      const known = { hasCommenced: this.#hasCommenced, commentOf: this.#options.commentOf }
      for (const death of this.#left) {
        if (death.moment !== moment || !(await death.mark.isIn(asked, known))) continue
        // Somebody else may have come by in the meantime.
        if (this.#isDead) return false
        this.#isDead = true
        this.#left = this.#left.filter((other) => other !== death)
        this.#done.push(death)
        this.#options.kill()
        return false
      }
      return true
    }
  }
}

/** What OSD and ARO have in common is cut off in one way by each; what OSD alone has, in two. */
function deathsIn(step: string, { seed, upgrader }: KillsOptions): readonly Death[] {
  const ways = (marks[step] ?? []).flatMap((mark) => moments.map((moment) => ({ step, mark, moment })))
  if (ways.length === 0) throw new Error(`nobody knows by what the step "${step}" is recognised: add it to the marks`)
  const first = seededRandom(`${seed}/${step}`).below(ways.length)
  const both = [first, (first + 1) % ways.length]
  const isCommon = upgraderFor('ARO').steps.some(({ name }) => name === step)
  const chosen = isCommon ? both.slice(...(upgrader.type === 'OSD' ? [0, 1] : [1, 2])) : both
  return ways.filter((_, index) => chosen.includes(index))
}
