import { capi, type JsonObject, type KubernetesObject, type Resource } from '@windlass/api'
import {
  type Action,
  cached,
  type CachedKind,
  type CacheReader,
  create,
  type Draft,
  patch,
  refOf,
  remove,
  setControllerReference,
  status,
} from '@windlass/kube'
import { controllersOf, sets } from './caches.ts'
import { Annotation, Label } from './wire.ts'

/** What a provider keeps about a machine of its own: a KubevirtMachine, an AWSMachine. */
export interface ProviderMachine extends KubernetesObject {
  readonly spec?: JsonObject
  readonly status?: { readonly ready?: boolean }
}

interface Template extends KubernetesObject {
  readonly spec?: { readonly template?: { readonly spec?: JsonObject } }
}

/** How a provider calls what it makes from templates of this kind. */
export function machineKindOf({ group, version, apiVersion, kind, scope }: Resource): Resource<ProviderMachine> {
  const name = kind.replace(/Template$/, '')
  return { group, version, apiVersion, kind: name, plural: `${name.toLowerCase()}s`, scope, hasStatusSubresource: true }
}

/**
 * The objects that providers make of Machines, for clusters that have these kinds: each is made from the template of its MachineSet, says when the machine is
 * there, and goes with it.
 */
export class Infrastructure {
  readonly #machines = new Map<string, CachedKind<ProviderMachine>>()
  readonly #templates = new Map<string, CachedKind<Template>>()

  /** `templates`: kinds of templates whose machines the cluster can keep. */
  constructor(templates: readonly Resource[]) {
    for (const template of templates) {
      const kind = machineKindOf(template)
      this.#machines.set(kind.kind, cached<ProviderMachine>(kind))
      this.#templates.set(kind.kind, cached<Template>(template))
    }
  }

  get reads(): readonly CachedKind<KubernetesObject>[] {
    return [...this.#machines.values(), ...this.#templates.values()]
  }

  /** What the machine still lacks there; nothing where nobody keeps any. */
  actions(machine: capi.Machine, cache: CacheReader): readonly Action[] {
    const of = this.#machines.get(machine.spec.infrastructureRef.kind ?? '')
    if (of === undefined) return []
    const live = cache.get(of, refOf(machine))
    if (live === undefined) {
      const draft = this.#draft(machine, cache)
      return draft === undefined ? [] : [create(of.kind, draft, 'the provider is to make a machine')]
    }
    const { providerID } = machine.spec
    if (providerID === undefined) return []
    const said = live.status?.ready === true ? [] : [status(of.kind, live, { ready: true }, 'the machine is there')]
    const isNamed = live.spec?.['providerID'] === providerID
    return [...(isNamed ? [] : [patch(of.kind, refOf(live), { spec: { providerID } }, 'the provider has made it')]), ...said]
  }

  removal(machine: capi.Machine, cache: CacheReader): readonly Action[] {
    const of = this.#machines.get(machine.spec.infrastructureRef.kind ?? '')
    const live = of === undefined ? undefined : cache.get(of, refOf(machine))
    return of === undefined || live === undefined ? [] : [remove(of.kind, live, 'its machine is gone')]
  }

  /** A copy of what the template says. Undefined when that is gone: a machine that is there does not need it any more. */
  #draft(machine: capi.Machine, cache: CacheReader): Draft<ProviderMachine> | undefined {
    const { kind = '' } = machine.spec.infrastructureRef
    const [setRef] = controllersOf(capi.MachineSet)(machine)
    const template = (setRef === undefined ? undefined : cache.get(sets, setRef))?.spec.template
    const { name: from = '', kind: fromKind = '', apiVersion = '' } = template?.spec?.infrastructureRef ?? {}
    const of = this.#templates.get(kind)
    const { namespace = '', name = '' } = machine.metadata
    const live = of === undefined ? undefined : cache.get(of, { namespace, name: from })
    if (live === undefined) return undefined
    return setControllerReference<Draft<ProviderMachine>>(
      {
        metadata: {
          namespace,
          name,
          labels: { ...template?.metadata?.labels, [Label.clusterName]: machine.spec.clusterName },
          annotations: {
            ...template?.metadata?.annotations,
            [Annotation.clonedFrom]: from,
            [Annotation.clonedFromKind]: `${fromKind}.${apiVersion.split('/')[0] ?? ''}`,
          },
        },
        spec: live.spec?.template?.spec ?? {},
      },
      machine,
    )
  }
}
