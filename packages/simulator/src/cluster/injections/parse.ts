import type { KubernetesObject } from '@windlass/api'
import { tryParseDuration } from '@windlass/core'
import { event, type Action } from '@windlass/kube'
import { failureAnnotation } from '../../failures/index.ts'
import { type InjectedKind, type Injection, type InjectionMode, injectionModes, timedModes } from './injection.ts'

export interface ParsedInjections<Kind extends InjectedKind> {
  readonly injections: readonly Injection<Kind>[]
  /** What could not be read, in words for the person who wrote it. */
  readonly problems: readonly string[]
}

/** What goes wrong with an object of this kind: `degraded for=41m reason=EtcdMembers; slow factor=3`. What cannot be read is left out and told. */
export function injectionsOf<Kind extends InjectedKind>(kind: Kind, { metadata }: KubernetesObject): ParsedInjections<Kind> {
  const text = metadata.annotations?.[failureAnnotation]
  const injections: Injection<Kind>[] = []
  const problems: string[] = []
  for (const part of partsOf(text)) {
    const read = parseOne(kind, part)
    if (typeof read === 'string') problems.push(read)
    else injections.push(read)
  }
  return { injections, problems }
}

/** Tells people what they got wrong. */
export function complaints(object: KubernetesObject, problems: readonly string[]): readonly Action[] {
  return problems.map((problem) => event(object, 'Warning', 'InvalidFailure', problem))
}

/** The annotations of an object without an injection that is over, as a merge patch takes them. */
export function withoutInjection({ metadata }: KubernetesObject, over: Injection): Readonly<Record<string, string | null>> {
  const left = partsOf(metadata.annotations?.[failureAnnotation]).filter((part) => part !== over.text)
  return { [failureAnnotation]: left.length === 0 ? null : left.join('; ') }
}

function partsOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function parseOne<Kind extends InjectedKind>(kind: Kind, text: string): Injection<Kind> | string {
  const [mode = '', ...options] = text.split(/\s+/)
  if (!isMode(kind, mode)) return `"${mode}" is nothing that can go wrong with a ${kind}: choose from ${injectionModes[kind].join(', ')}`
  let injection: Injection<Kind> = { mode, text }
  for (const option of options) {
    const equals = option.indexOf('=')
    const read = equals < 0 ? undefined : optionOf(mode, option.slice(0, equals), option.slice(equals + 1))
    if (read === undefined) return `"${option}" of ${mode} cannot be understood: write ${optionsOf(mode)}, without spaces`
    injection = { ...injection, ...read }
  }
  return injection
}

function isMode<Kind extends InjectedKind>(kind: Kind, text: string): text is InjectionMode<Kind> {
  return injectionModes[kind].some((mode) => mode === text)
}

function optionOf(mode: string, key: string, value: string): Partial<Pick<Injection, 'for' | 'reason' | 'factor'>> | undefined {
  switch (key) {
    case 'for': {
      const length = timedModes.has(mode) ? tryParseDuration(value) : undefined
      return length !== undefined && length > 0 ? { for: length } : undefined
    }
    case 'reason':
      return /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(value) ? { reason: value } : undefined
    case 'factor':
      return mode === 'slow' && Number(value) > 0 && Number.isFinite(Number(value)) ? { factor: Number(value) } : undefined
    default:
      return undefined
  }
}

function optionsOf(mode: string): string {
  if (mode === 'slow') return 'factor=<number>'
  return timedModes.has(mode) ? 'for=<duration>, as in 41m, or reason=<Word>' : 'reason=<Word>'
}
