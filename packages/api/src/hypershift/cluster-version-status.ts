import type { TObject } from 'typebox'
import { availableUpdates, conditionalUpdates, release, updateHistory } from '../config/update-history.ts'
import { int64, optional, object } from '../schema/index.ts'

const fields = {
  desired: release('The release that the guest is going to or has reached.'),
  history: optional(updateHistory()),
  observedGeneration: int64('The generation of the ClusterVersion that is being acted on.'),
  availableUpdates: availableUpdates({ maxItems: 100 }),
  conditionalUpdates: optional(conditionalUpdates({ maxItems: 100, maxRisks: 200 })),
}

/** What the cluster version operator of the guest reports. It says nothing about the components on the management cluster. */
export function clusterVersionStatus(description: string): TObject<typeof fields> {
  return object(description, fields)
}
