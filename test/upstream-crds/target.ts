import type { Answer, Client } from '../support/client.ts'
import type { RunningServer } from '../support/windlass.ts'
import type { Definition, Version } from './definitions.ts'
import { complaints } from './kubectl.ts'
import { merged } from './merged.ts'
import type { Fields, Refusal, Sample } from './sample.ts'

/** Where the objects of a kind are, and how to try to write a wrong one there. */
export class Target {
  readonly collection: string
  readonly name: string
  readonly object: Fields
  readonly #type: string
  readonly #kind: string
  readonly #spec: Version['schema']['openAPIV3Schema']['properties']['spec']

  constructor({ spec: { group, scope, names } }: Definition, version: Version, sample: Sample) {
    this.collection = `/apis/${group}/${version.name}/${scope === 'Namespaced' ? 'namespaces/default/' : ''}${names.plural}`
    this.name = sample.name ?? 'a'
    this.object = { apiVersion: `${group}/${version.name}`, kind: names.kind, metadata: { name: this.name }, spec: sample.spec }
    this.#type = `${names.plural}.${version.name}.${group}`
    this.#kind = names.kind
    this.#spec = version.schema.openAPIV3Schema.properties.spec
  }

  get isPruned(): boolean {
    return this.#spec['x-kubernetes-preserve-unknown-fields'] !== true
  }

  attempt(api: Client, { how, change }: Refusal): Promise<Answer> {
    if (how === 'create') return api.send('POST', this.collection, this.#wrong(change))
    const path = `${this.collection}/${this.name}${how === 'status' ? '/status' : ''}`
    return api.send('PATCH', path, change, { 'content-type': 'application/merge-patch+json' })
  }

  attemptWithKubectl({ directory, kubeconfig }: RunningServer, { how, change }: Refusal): Promise<string> {
    if (how === 'create') return complaints(directory, kubeconfig, ['create', '-f', '-'], JSON.stringify(this.#wrong(change)))
    const flags = ['--type=merge', '-p', JSON.stringify(change), ...(how === 'status' ? ['--subresource=status'] : [])]
    return complaints(directory, kubeconfig, ['patch', this.#type, this.name, ...flags])
  }

  /** First what is wrong with which object, then each cause. */
  complaint({ how, change, says }: Refusal): readonly string[] {
    const name = how === 'create' ? nameOf(this.#wrong(change)) : this.name
    return [`The ${this.#kind} "${name}" is invalid`, ...says.toSorted()]
  }

  /** Under another name, so that it cannot be refused for being there already. */
  #wrong(change: Fields): Fields {
    return merged(merged(this.object, { metadata: { name: 'wrong' } }), change)
  }
}

function nameOf(object: Fields): string {
  return (object['metadata'] as { name: string }).name
}
