import { delimiter, dirname, join, resolve } from 'node:path'
import type { Clock } from '@windlass/core'
import type { TransportOptions } from '../transport/https.ts'
import { accessTo, type Entry } from './access.ts'
import { fileProblem, KubeconfigError, systemCode } from './kubeconfig-error.ts'
import { Section } from './section.ts'
import { type Environment, type Surroundings, systemSurroundings } from './system.ts'

export interface KubeconfigContext {
  readonly name: string
  readonly cluster: string
  /** Empty for nobody. */
  readonly user: string
  /** Where to look when nobody says; undefined when the context leaves it open. */
  readonly namespace: string | undefined
}

/** Where clusters are and how to be somebody there, from one kubeconfig or several. */
export interface Kubeconfig {
  /** For messages: `the kubeconfig /home/me/.kube/config`. */
  readonly name: string
  readonly contexts: readonly KubeconfigContext[]
  /** The one that was asked for or, without that, the current one of the files. */
  readonly context: string | undefined
  /**
   * How to reach the cluster of a context, `context` unless told.
   *
   * # Errors
   *
   * `KubeconfigError`, in one sentence, when there is no such context or when it does not lead anywhere.
   */
  access(context?: string): Promise<TransportOptions>
}

export interface KubeconfigOptions extends Partial<Surroundings> {
  /** Instead of the files that `KUBECONFIG` names, and of `~/.kube/config`. */
  readonly file?: string
  /** Instead of the current one. */
  readonly context?: string
  readonly clock: Clock
}

/**
 * Reads a kubeconfig as kubectl does: several files in `KUBECONFIG` are one, and of what they have in common the first counts.
 *
 * # Errors
 *
 * `KubeconfigError` when a file is no kubeconfig, or when there is none. Of several files, some may be missing.
 */
export async function loadKubeconfig(options: KubeconfigOptions): Promise<Kubeconfig> {
  const { env, readFile } = { ...systemSurroundings, ...options }
  const named = options.file === undefined ? filesOf(env) : [options.file]
  const loaded: Loaded[] = []
  for (const file of named) {
    const text = await readFile(file).catch((error: unknown) => {
      if (named.length > 1 && systemCode(error) === 'ENOENT') return undefined
      throw new KubeconfigError(`the kubeconfig ${file} cannot be read (${fileProblem(error)}): choose another, or set KUBECONFIG`, {
        cause: error,
      })
    })
    if (text !== undefined) loaded.push({ section: Section.parse(text, `the kubeconfig ${file}`), folder: dirname(resolve(file)) })
  }
  if (loaded.length === 0) throw new KubeconfigError(`none of the files in KUBECONFIG is there (${named.join(', ')})`)
  return merge(loaded, options.context, { env, readFile, clock: options.clock })
}

/** The text of a kubeconfig; `name` is where it came from. Paths in it start from `folder`; without one it may not name files or programs. */
export function parseKubeconfig(
  content: string,
  options: Partial<Surroundings> & { readonly name: string; readonly folder?: string; readonly context?: string; readonly clock: Clock },
): Kubeconfig {
  const { env, readFile } = { ...systemSurroundings, ...options }
  const section = Section.parse(content, options.name)
  return merge([{ section, folder: options.folder }], options.context, { env, readFile, clock: options.clock })
}

/** Whether the environment says where a kubeconfig is. */
export function namesKubeconfig(env: Environment): boolean {
  return (env['KUBECONFIG'] ?? '') !== ''
}

function filesOf(env: Environment): readonly string[] {
  if (namesKubeconfig(env)) return (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  const home = env['HOME'] ?? env['USERPROFILE']
  if (home === undefined) throw new KubeconfigError('there is no kubeconfig: set KUBECONFIG, or HOME to the folder that has .kube/config')
  return [join(home, '.kube', 'config')]
}

interface Loaded {
  readonly section: Section
  readonly folder: string | undefined
}

function merge(loaded: readonly Loaded[], asked: string | undefined, surroundings: Surroundings & { readonly clock: Clock }): Kubeconfig {
  const contexts = entriesOf(loaded, 'contexts', 'context')
  const clusters = entriesOf(loaded, 'clusters', 'cluster')
  const users = entriesOf(loaded, 'users', 'user')
  const name = loaded.map(({ section }) => section.name).join(' and ')
  const current = asked ?? loaded.map(({ section }) => section.text('current-context')).find((context) => context !== undefined)
  return {
    name,
    contexts: [...contexts].map(([contextName, { section }]) => describe(contextName, section)),
    context: current,
    async access(context = current) {
      if (context === undefined) throw new KubeconfigError(`${name} has no current-context: set it, or choose a context`)
      const { section } = found(contexts, 'context', context, name)
      const cluster = found(clusters, 'cluster', section.required('cluster'), name)
      const user = section.text('user')
      return accessTo(cluster, user === undefined ? undefined : found(users, 'user', user, name), surroundings)
    },
  }
}

function entriesOf(loaded: readonly Loaded[], list: string, kind: string): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const { section, folder } of loaded) {
    for (const [name, entry] of section.named(list, kind)) if (!entries.has(name)) entries.set(name, { section: entry, folder })
  }
  return entries
}

function describe(name: string, context: Section): KubeconfigContext {
  return { name, cluster: context.text('cluster') ?? '', user: context.text('user') ?? '', namespace: context.text('namespace') }
}

function found(entries: ReadonlyMap<string, Entry>, kind: string, name: string, where: string): Entry {
  const entry = entries.get(name)
  if (entry !== undefined) return entry
  const others = [...entries.keys()]
  const hint =
    others.length === 0 ? `it has no ${kind}s at all` : `it has ${others.slice(0, 10).join(', ')}${others.length > 10 ? ', …' : ''}`
  throw new KubeconfigError(`${where} has no ${kind} ${name}: ${hint}`)
}
