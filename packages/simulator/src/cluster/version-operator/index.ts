/**
 * The cluster version operator: moves a cluster from release to release and says how it goes.
 *
 * - `decide.ts`: what one look comes to; start reading there. `controller.ts`: what it looks at, with the two who may ask for releases.
 * - `request.ts`: from a release that is asked for to one that is applied; `preconditions.ts` may be in the way.
 * - `stage.ts`: how far the work is. `hold-ups.ts`: which operators it waits for. `report.ts`: the words of it.
 * - `progress.ts`: what has to be remembered, in an annotation. Operators learn from it that it is their turn.
 * - `history.ts`: the updates on record. `prune.ts`: what is dropped when there are too many.
 * - `offered.ts`: updates that could be next. `upgradeable.ts`: what stands against them.
 */
export {
  type AskedRelease,
  clusterOperators,
  clusterVersionOperator,
  clusterVersions,
  guestVersionOperator,
  versionRef,
} from './controller.ts'
export { type Order, orderFor, progressAnnotation, recordText, workOf } from './progress.ts'
