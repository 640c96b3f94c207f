import type { Template } from './template.ts'
import { kubernetes } from './kubernetes.ts'
import { openshift } from './openshift.ts'
import { operators } from './operators.ts'
import { platforms } from './platforms.ts'

/**
 * What the pods of the components look like, as data: `template.ts` is the form, `words.ts` the words, the other files the rows.
 *
 * The manifests are generic: ports, probes, requests, rights and mounted objects are those of the originals, command lines are not.
 */
const templates: ReadonlyMap<string, Template> = new Map(
  [kubernetes, openshift, operators, platforms].flatMap((rows) => Object.entries(rows)),
)

/** A component without a row, such as one that was retired, has a workload and nothing else. */
export function templateNamed(name: string): Template {
  return templates.get(name) ?? {}
}

export const templateNames: readonly string[] = [...templates.keys()]

export type { ContainerTemplate, GuestAccount, Mount, ServiceTemplate, Settings, StorageTemplate, Template } from './template.ts'
