import type { KubernetesObject, Pod, PodTemplate } from '@windlass/api'
import { type Draft, setControllerReference } from '@windlass/kube'

export interface PodOptions {
  /** Who looks after it. */
  readonly owner: KubernetesObject
  readonly template: PodTemplate
  readonly name: string
  /** Besides those of the template. */
  readonly labels?: Readonly<Record<string, string>>
  /** Where it runs; the scheduler decides if nobody does. */
  readonly node?: string | undefined
}

/** A Pod as the controllers of workloads make them. */
export function podFrom({ owner, template, name, labels, node }: PodOptions): Draft<Pod> {
  const { labels: ofTemplate, annotations, finalizers } = template.metadata ?? {}
  const draft: Draft<Pod> = {
    metadata: {
      name,
      ...(owner.metadata.namespace === undefined ? {} : { namespace: owner.metadata.namespace }),
      ...(ofTemplate === undefined && labels === undefined ? {} : { labels: { ...ofTemplate, ...labels } }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    spec: node === undefined || template.spec.nodeName !== undefined ? template.spec : { ...template.spec, nodeName: node },
  }
  return setControllerReference(draft, owner)
}
