import { Deployment, HostedControlPlane } from '@windlass/api'
import {
  type Action,
  and,
  type AsyncControllerDefinition,
  changed,
  done,
  ensure,
  generationChanged,
  type Plan,
  plan,
  type ReconcileContext,
  type Ref,
  wait,
  watching,
} from '@windlass/kube'
import type { ControlPlaneOptions } from './controller.ts'
import { imagesInPlace, named, releaseImageAnnotation, runningRelease } from './control-plane.ts'
import { type Operand, operandsOf } from './operands.ts'
import type { ReleaseLookup } from './release-lookup.ts'

/** On an operand: the operator that made it. */
const operatorLabel = 'simulator.windlass.dev/operator'

/**
 * The operators of a control plane that make more Deployments beside them: for the network, for storage. Each makes what belongs to the release that it
 * runs itself, once all of it runs that release.
 */
export function operands({ releases }: Pick<ControlPlaneOptions, 'releases'>): AsyncControllerDefinition<Deployment> {
  return {
    name: 'simulated-operands',
    for: Deployment,
    predicate: and(named(...operandsOf.keys()), changed(runningRelease)),
    watches: [
      watching(
        Deployment,
        ({ metadata: { namespace = '', labels } }) => {
          const name = labels?.[operatorLabel]
          return name === undefined ? [] : [{ namespace, name }]
        },
        generationChanged,
      ),
      watching(
        HostedControlPlane,
        ({ metadata: { namespace = '' } }) => [...operandsOf.keys()].map((name) => ({ namespace, name })),
        changed((controlPlane) => [...imagesInPlace(controlPlane)]),
      ),
    ],
    maxConcurrent: 16,
    backOff: { first: 1_000, longest: 60_000 },
    reconcile: (ref, context) => make(ref, releases, context),
  }
}

async function make(ref: Ref, releases: ReleaseLookup, { cache, signal }: ReconcileContext): Promise<Plan> {
  const { namespace = '', name } = ref
  const operator = cache.get(Deployment, ref)
  const [controlPlane] = cache.list(HostedControlPlane, { namespace })
  if (operator === undefined || controlPlane === undefined || controlPlane.metadata.deletionTimestamp !== undefined) return done
  const pullspec = runningRelease(operator)
  if (pullspec === undefined) return wait(`the operator ${name} to run one release`)
  const wanted = operandsOf.get(name)?.(controlPlane) ?? []
  if (wanted.length === 0) return done
  const { images } = await releases.resolve(pullspec, { signal })
  const inPlace = imagesInPlace(controlPlane)
  return plan(
    ...wanted.map((operand) => {
      const image = inPlace.get(operand.image) ?? images.get(operand.image)
      if (image === undefined) return wait(`an image ${operand.image} for ${operand.name}: release ${pullspec} has none`)
      return made(operand, {
        namespace,
        operator: name,
        image,
        pullspec,
        isSpread: controlPlane.spec.controllerAvailabilityPolicy !== 'SingleReplica',
      })
    }),
  )
}

interface Circumstances {
  readonly namespace: string
  readonly operator: string
  readonly image: string
  readonly pullspec: string
  readonly isSpread: boolean
}

function made({ name, container }: Operand, { namespace, operator, image, pullspec, isSpread }: Circumstances): Action {
  const labels = { app: name }
  const template = {
    metadata: { labels, annotations: { [releaseImageAnnotation]: pullspec } },
    spec: { containers: [{ name: container, image }] },
  }
  const spec = { replicas: isSpread ? 2 : 1, selector: { matchLabels: labels }, template }
  const metadata = { namespace, name, labels: { ...labels, [operatorLabel]: operator } }
  return ensure(Deployment, { metadata, spec }, `${operator} runs this release`)
}
