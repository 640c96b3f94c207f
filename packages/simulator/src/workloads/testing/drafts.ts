import { Deployment, type KubernetesObject, type PodTemplate, StatefulSet } from '@windlass/api'
import { aDeployment, aStatefulSet } from '@windlass/api/fixtures'
import type { Draft } from '@windlass/kube'

export const namespace = 'clusters-prod'

/** A fixture as somebody would send it: without what the server adds. */
export function draftOf<T extends KubernetesObject & { readonly spec: object }>({ metadata, spec }: T): Draft<T> {
  const { name, namespace, labels, annotations } = metadata
  const sent = {
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec,
  }
  // Two of the parts that the object came with: TypeScript cannot put a generic object together from its parts.
  return sent as unknown as Draft<T>
}

/** A template with one container that runs the image. */
export function templateOf(app: string, image: string, annotations?: Readonly<Record<string, string>>): PodTemplate {
  return {
    metadata: { labels: { app }, ...(annotations === undefined ? {} : { annotations }) },
    spec: { containers: [{ name: app, image }] },
  }
}

export const imageOf = (version: string): string => `example.com/app:${version}`

export interface WorkloadOptions {
  readonly replicas?: number
  readonly image?: string
}

export function deploymentDraft(
  name: string,
  { image = imageOf('1'), ...spec }: WorkloadOptions & Partial<Deployment['spec']> = {},
): Draft<Deployment> {
  const selector = { matchLabels: { app: name } }
  return draftOf(aDeployment({ name, namespace, spec: { selector, template: templateOf(name, image), ...spec } }))
}

export function statefulSetDraft(
  name: string,
  { image = imageOf('1'), ...spec }: WorkloadOptions & Partial<StatefulSet['spec']> = {},
): Draft<StatefulSet> {
  const selector = { matchLabels: { app: name } }
  return draftOf(
    aStatefulSet({ name, namespace, spec: { selector, template: templateOf(name, image), podManagementPolicy: 'OrderedReady', ...spec } }),
  )
}

/** The patch that brings a workload to another image. */
export function toImage(app: string, image: string) {
  return { spec: { template: { spec: { containers: [{ name: app, image }] } } } }
}
