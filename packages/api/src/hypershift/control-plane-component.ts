import { column, conditionColumn, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { standardConditions } from '../meta/index.ts'
import { emptyObject, int64, list, object, optional, text } from '../schema/index.ts'
import { largestGeneration } from './control-plane-version.ts'

const name = (description: string) => text(description, { maxLength: 255 })

/** How one component of a control plane is doing: the evidence on which an update counts as completed. */
export const ControlPlaneComponent = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'ControlPlaneComponent',
  plural: 'controlplanecomponents',
  shortNames: ['cpc', 'cpcs'],
  description: 'How one component of a control plane is doing.',
  spec: emptyObject('Nothing to configure here.'),
  status: object('What was seen of the component.', {
    conditions: optional(standardConditions({ maxItems: 10 })),
    version: optional(name('The version of its last completed rollout.')),
    observedGeneration: optional(
      int64('The generation of the HostedControlPlane that it last acted on.', { minimum: 1, maximum: largestGeneration }),
    ),
    resources: optional(
      list(
        'What was applied for it besides its workload.',
        object('One object.', { kind: name('Its kind.'), group: name('Its API group; empty for the core one.'), name: name('Its name.') }),
        { maxItems: 100 },
      ),
    ),
  }),
  printerColumns: [
    column('Version', '.status.version'),
    conditionColumn('Available', 'Available'),
    conditionColumn('RolloutComplete', 'RolloutComplete'),
    conditionColumn('Message', 'Available', 'message'),
    conditionColumn('RolloutCompleteMessage', 'RolloutComplete', 'message', { priority: 1 }),
  ],
})
export type ControlPlaneComponent = ObjectOf<typeof ControlPlaneComponent>
