import type { HostedCluster, Secret } from '@windlass/api'
import type { Clock, Instant } from '@windlass/core'
import { failed, found } from '../hosted-cluster/lookup.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import {
  InvalidMirrorError,
  InvalidPullSecretError,
  parsePullSecret,
  readMirrors,
  RegistryUnreachableError,
  ReleaseError,
} from '../releases/index.ts'
import type { Release, ReleaseResolver, ResolveOptions } from '../releases/index.ts'
import { patience, within } from './patience.ts'

export interface ReleaseQuestion {
  readonly pullspec: string
  /** With credentials for registries; without it they are asked as anybody. */
  readonly pullSecret: Secret | undefined
  /** Where else images are, as a hosted cluster says. */
  readonly mirrors: HostedCluster['spec']['imageContentSources']
  readonly signal: AbortSignal
  /** With it, a registry that is slow is a failure after some seconds. It is asked on all the same, for whoever asks next. */
  readonly clock?: Clock
}

/** Looks a release up. That it cannot be is an answer too: it is shown to people, and what does not depend on it goes on. */
export async function lookUpRelease(releases: ReleaseResolver, question: ReleaseQuestion): Promise<Lookup<Release>> {
  const { clock, signal, pullspec } = question
  try {
    if (clock !== undefined) return found(await promptly(releases, question, clock))
    return found(await releases.resolve(pullspec, { ...optionsOf(question), signal }))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ReleaseError || error instanceof InvalidPullSecretError || error instanceof InvalidMirrorError)
      return failed(error.message)
    throw error
  }
}

interface Running {
  readonly since: Instant
  readonly answer: Promise<Release>
}

/** What registries are being asked, by whom they are asked through. It outlives the pass that wanted to know. */
const running = new WeakMap<ReleaseResolver, Map<string, Running>>()

async function promptly(releases: ReleaseResolver, question: ReleaseQuestion, clock: Clock): Promise<Release> {
  const { since, answer } = join(releases, question, clock)
  const left = patience - (clock.now() - since)
  const late = (): Error =>
    new RegistryUnreachableError(question.pullspec, `no registry has answered within ${patience / 1000} s; they are still being asked`)
  // One that has kept somebody waiting keeps nobody else: there may be a thousand clusters that want to know.
  if (left <= 0) throw late()
  return within(left, clock, answer, late)
}

function join(releases: ReleaseResolver, question: ReleaseQuestion, clock: Clock): Running {
  const all = running.get(releases) ?? new Map<string, Running>()
  running.set(releases, all)
  const key = keyOf(question)
  const known = all.get(key)
  if (known !== undefined) return known
  const started = { since: clock.now(), answer: releases.resolve(question.pullspec, optionsOf(question)) }
  all.set(key, started)
  const forget = (): void => void all.delete(key)
  started.answer.then(forget, forget)
  return started
}

function keyOf({ pullspec, pullSecret, mirrors = [] }: ReleaseQuestion): string {
  return [pullspec, encodedIn(pullSecret) ?? '', mirrors.length === 0 ? '' : JSON.stringify(mirrors)].join('\n')
}

function encodedIn(pullSecret: Secret | undefined): string | undefined {
  return pullSecret?.data?.['.dockerconfigjson']
}

function optionsOf({ pullSecret, mirrors = [] }: ReleaseQuestion): ResolveOptions {
  const encoded = encodedIn(pullSecret)
  return {
    ...(encoded === undefined ? {} : { pullSecret: parsePullSecret(Buffer.from(encoded, 'base64').toString()) }),
    ...(mirrors.length === 0 ? {} : { mirrors: readMirrors({ digests: mirrors }) }),
  }
}
