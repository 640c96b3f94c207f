import { readFileSync } from 'node:fs'
import type { Clock, Random } from '@windlass/core'
import type { MirrorSets, RegistryOverrides, RegistryResolver, RegistryResolverOptions } from '@windlass/hosted'
import type { Log } from '@windlass/kube'
import type { OperatorFlags } from '../commands/operator.ts'
import { Failure, fileProblem } from '../failures.ts'

type RegistryFlags = Pick<OperatorFlags, 'registryMirrors' | 'registryCa' | 'registryOverrides' | 'releaseCache'>
type Environment = Readonly<Record<string, string | undefined>>

/** How registries are reached, and what of theirs is renamed or kept. */
export interface RegistrySettings extends Pick<RegistryResolverOptions, 'ca' | 'proxy' | 'folder'> {
  readonly mirrors?: MirrorSets
  /** For component images of control planes. */
  readonly overrides?: RegistryOverrides
}

/**
 * What the command line and the environment say about registries.
 *
 * Errors: a `Failure` for a file that cannot be read, or that tells no mirrors.
 */
export async function registrySettings(flags: RegistryFlags, env: Environment): Promise<RegistrySettings> {
  const { registryMirrors, registryCa, registryOverrides, releaseCache } = flags
  const proxy = proxyIn(env)
  return {
    ...(registryMirrors === undefined ? {} : { mirrors: await mirrorsIn(registryMirrors) }),
    ...(registryCa === undefined ? {} : { ca: [read(registryCa)] }),
    ...(registryOverrides === undefined ? {} : { overrides: new Map(Object.entries(registryOverrides)) }),
    ...(releaseCache === undefined ? {} : { folder: releaseCache }),
    ...(proxy === undefined ? {} : { proxy }),
  }
}

/** Asks registries, as the settings say. */
export async function askingRegistries(
  { overrides: _, ...settings }: RegistrySettings,
  { clock, random, log }: { readonly clock: Clock; readonly random: Random; readonly log?: Log },
): Promise<RegistryResolver> {
  const { registryResolver } = await import('@windlass/hosted')
  return registryResolver({
    ...settings,
    clock,
    random,
    onProblem: (message, error) => log?.warn({ err: error }, message),
  })
}

async function mirrorsIn(file: string): Promise<MirrorSets> {
  const text = read(file)
  const { InvalidMirrorError, parseMirrorSets } = await import('@windlass/hosted')
  try {
    return parseMirrorSets(text)
  } catch (error) {
    if (error instanceof InvalidMirrorError) throw new Failure(`${file} tells no mirrors: ${error.message}`, { cause: error })
    throw error
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
}

/** Programs disagree about the case of these names, so that either counts. */
function proxyIn(env: Environment): RegistryResolverOptions['proxy'] {
  const value = (name: string): string | undefined => env[name] || env[name.toLowerCase()] || undefined
  const [http, https, except] = [value('HTTP_PROXY'), value('HTTPS_PROXY'), value('NO_PROXY')]
  if (http === undefined && https === undefined) return undefined
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(except === undefined ? {} : { except }),
  }
}
