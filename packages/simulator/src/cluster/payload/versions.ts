import { hash32 } from '../../identity/index.ts'
import type { PayloadOperator } from './payload.ts'

/** The version of one part of an operator, as ClusterOperators list them. */
export interface PartVersion {
  readonly name: string
  readonly version: string
}

/** What an operator tells of itself when it has got to a release. The version operator waits until all of it is told. */
export function versionsAt({ sort }: Pick<PayloadOperator, 'sort'>, { version, image }: PartRelease): readonly PartVersion[] {
  const own = { name: 'operator', version }
  if (sort === 'static-pods') return [{ name: 'raw-internal', version }, own]
  if (sort === 'machine-config') return [own, { name: 'operator-image', version: contentImage('machine-config-operator', image) }]
  return [own]
}

interface PartRelease {
  readonly version: string
  readonly image: string
}

/** An image that a release brings along; always the same for the same release. */
export function contentImage(name: string, image: string): string {
  return `release-content/${name}@sha256:${hexOf(`${image}/${name}`, 64)}`
}

/** So many hexadecimal digits, always the same for the same text. */
export function hexOf(text: string, digits: number): string {
  let result = ''
  for (let part = 0; result.length < digits; part++) result += hash32(`${text}/${part}`).toString(16).padStart(8, '0')
  return result.slice(0, digits)
}
