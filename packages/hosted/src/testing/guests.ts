import { ClusterVersion, Deployment, HostedControlPlane, Secret } from '@windlass/api'
import { formatTime } from '@windlass/core'
import { createOrPatch, plan, requeueAfter, watching } from '@windlass/kube'
import type { AsyncControllerDefinition, Client } from '@windlass/kube'
import { isDeploymentReady } from '../components/index.ts'
import { Annotation } from '../components/wire.ts'
import type { ReleaseResolver } from '../releases/index.ts'

type History = NonNullable<NonNullable<ClusterVersion['status']>['history']>

/** The version operators of guests: each takes its guest to the release that it was asked for, a minute after it runs. */
export function guestVersions(
  connect: (kubeconfig: string) => Client,
  releases: ReleaseResolver,
): AsyncControllerDefinition<HostedControlPlane> {
  return {
    name: 'test-guest-versions',
    for: HostedControlPlane,
    watches: [
      watching(Deployment, ({ metadata: { namespace = '' } }, cache) =>
        cache.list(HostedControlPlane, { namespace }).map(({ metadata: { name = '' } }) => ({ namespace, name })),
      ),
    ],
    reads: [Secret],
    async reconcile(ref, { cache, clock, signal }) {
      const controlPlane = cache.get(HostedControlPlane, ref)
      const { namespace = '' } = ref
      const operator = cache.get(Deployment, { namespace, name: 'cluster-version-operator' })
      const text = cache.get(Secret, { namespace, name: 'admin-kubeconfig' })?.data?.['kubeconfig']
      if (controlPlane?.metadata.deletionTimestamp !== undefined || text === undefined) return plan()
      if (controlPlane === undefined || operator === undefined || !isDeploymentReady(operator)) return plan()
      if (operator.spec.template.metadata?.annotations?.[Annotation.releaseImage] === undefined) return plan()
      const { version, image } = await releases.resolve(controlPlane.spec.releaseImage, { signal })
      const client = connect(Buffer.from(text, 'base64').toString())
      const guest = await client.find(ClusterVersion, { name: 'version' }, { signal })
      const history: History = guest?.status?.history ?? []
      const now = formatTime(clock.now())
      if (history[0]?.image === image && history[0].state === 'Completed') return plan()
      const isNew = history[0]?.image !== image
      const entry = { startedTime: now, verified: true, ...history[0], ...(isNew ? { startedTime: now } : {}), version, image }
      const newest = isNew
        ? ({ ...entry, state: 'Partial', completionTime: null } as const)
        : ({ ...entry, state: 'Completed', completionTime: now } as const)
      const older = isNew
        ? history.map((each, index) => (index === 0 ? { ...each, completionTime: each.completionTime ?? now } : each))
        : history.slice(1)
      const spec = { clusterID: controlPlane.spec.clusterID ?? '' }
      const { object } = await createOrPatch(client, ClusterVersion, { metadata: { name: 'version' }, spec }, { current: guest, signal })
      await client.updateStatus(ClusterVersion, { ...object, status: reported([newest, ...older], !isNew, now) }, { signal })
      return isNew ? requeueAfter(60_000) : plan()
    },
  }
}

function reported(history: History, isDone: boolean, now: string): NonNullable<ClusterVersion['status']> {
  const [newest] = history
  const condition = (type: string, status: 'True' | 'False') => ({
    type,
    status,
    reason: 'AsExpected',
    message: '',
    lastTransitionTime: now,
  })
  return {
    desired: { version: newest?.version ?? '', image: newest?.image ?? '' },
    history,
    observedGeneration: 1,
    availableUpdates: null,
    versionHash: '',
    conditions: [
      condition('Available', history.some(({ state }) => state === 'Completed') ? 'True' : 'False'),
      condition('Progressing', isDone ? 'False' : 'True'),
      condition('Failing', 'False'),
    ],
  }
}
