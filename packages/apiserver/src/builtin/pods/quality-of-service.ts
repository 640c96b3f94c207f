import type { JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../tree.ts'

export type QualityOfService = 'Guaranteed' | 'Burstable' | 'BestEffort'

const computeResources = ['cpu', 'memory']

/** How the scheduler and the kubelet rank a Pod when resources run short. */
export function qualityOfService(spec: JsonObject): QualityOfService {
  const containers = [...objectsIn(spec.initContainers), ...objectsIn(spec.containers)]
  const asks = containers.some((container) =>
    computeResources.some((name) => amount(container, 'requests', name) !== '' || amount(container, 'limits', name) !== ''),
  )
  if (!asks) return 'BestEffort'
  const isFixed = containers.every((container) =>
    computeResources.every((name) => {
      const limit = amount(container, 'limits', name)
      return limit !== '' && limit === amount(container, 'requests', name)
    }),
  )
  return isFixed ? 'Guaranteed' : 'Burstable'
}

/** Empty when nothing is asked for; zero is nothing. */
function amount(container: JsonObject, list: 'limits' | 'requests', name: string): string {
  const text = textIn(objectIn(objectIn(container.resources)[list])[name])
  return text === '0' ? '' : text
}
