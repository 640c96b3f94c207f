import { Deployment, HostedControlPlane, Secret } from '@windlass/api'
import { ensure, plan, watching } from '@windlass/kube'
import type { Action, AsyncControllerDefinition } from '@windlass/kube'
import { imageOverridesOf, isDeploymentReady, registry } from '../components/index.ts'
import { Annotation } from '../components/wire.ts'
import type { ReleaseResolver } from '../releases/index.ts'

/** What operators in a control plane make by themselves: the Deployments that are waited for, once their operator runs the release. */
export function operands(releases: ReleaseResolver): AsyncControllerDefinition<HostedControlPlane> {
  return {
    name: 'test-operands',
    for: HostedControlPlane,
    watches: [
      watching(Deployment, ({ metadata: { namespace = '' } }, cache) =>
        cache.list(HostedControlPlane, { namespace }).map(({ metadata: { name = '' } }) => ({ namespace, name })),
      ),
    ],
    reads: [Secret],
    async reconcile(ref, { cache, signal }) {
      const controlPlane = cache.get(HostedControlPlane, ref)
      if (controlPlane === undefined || controlPlane.metadata.deletionTimestamp !== undefined) return plan()
      const { namespace = '' } = ref
      const actions: Action[] = []
      const overrides = imageOverridesOf(controlPlane).images
      for (const component of registry.components) {
        const operator = cache.get(Deployment, { namespace, name: component.name })
        const pullspec = operator?.spec.template.metadata?.annotations?.[Annotation.releaseImage]
        if (operator === undefined || pullspec === undefined || !isDeploymentReady(operator) || typeof component.operands !== 'function')
          continue
        const { images } = await releases.resolve(pullspec, { signal })
        for (const operand of component.operands(controlPlane))
          actions.push(made(namespace, operand, overrides.get(operand.image) ?? images.get(operand.image) ?? ''))
      }
      return plan(...actions)
    },
  }
}

function made(namespace: string, { deployment: name, container }: { deployment: string; container: string }, image: string): Action {
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { containers: [{ name: container, image }] } }
  const spec = { replicas: 2, selector: { matchLabels: labels }, template }
  return ensure(Deployment, { metadata: { namespace, name }, spec }, 'its operator wants it')
}
