import { release } from '../config/update-history.ts'
import { choice, int64, list, object, optional, rule, text, time } from '../schema/index.ts'

/** The largest generation that a double holds exactly. */
export const largestGeneration = 9_007_199_254_740_992

/**
 * The updates of the control plane itself. Unlike the history of the cluster version operator, `completionTime` is left out while
 * an update runs: null is refused here.
 */
export const controlPlaneVersion = object('Which release the control plane components run, and how they came to it.', {
  desired: release('The release that the components should run.'),
  history: optional(
    list(
      'The updates, newest first.',
      object('One update.', {
        state: choice('Whether every component got there.', ['Completed', 'Partial']),
        startedTime: time('When it began.'),
        completionTime: optional(time('When it was completed or superseded; absent while it runs.')),
        version: text('The version.', {
          minLength: 1,
          maxLength: 64,
          rules: [rule(String.raw`self.matches('^\\d+\\.\\d+\\.\\d+.*')`, 'version must start with semantic version prefix x.y.z')],
        }),
        image: text('The release image.', { minLength: 1, maxLength: 447 }),
      }),
      { minItems: 1, maxItems: 100, as: 'atomic' },
    ),
  ),
  observedGeneration: optional(
    int64('The generation of the HostedControlPlane that this was judged from.', { minimum: 1, maximum: largestGeneration }),
  ),
})
