/**
 * Answers about clusters, from plain objects: the live model asks for them when something has changed, and so may anybody who has read objects.
 *
 * - `parts.ts`: what an answer is made from, and by what it is judged. `hosted/`, `classic/`: the two kinds of clusters.
 * - `sides.ts`: a control plane or a data plane by its history. `estimate.ts`: when it will be done. `trouble.ts`, `conditions.ts`: what conditions mean.
 * - `figures.ts`: what is counted. `exposure.ts`: who is exposed to a vulnerability. `versions.ts`, `skew.ts`: versions in order.
 * - `upgrade.ts`: the steps of a managed upgrade. `insights.ts`, `events.ts`: what others have found and told.
 * - `moments.ts`: answers that change by time alone, and when.
 */
export { classicRow } from './classic/index.ts'
export { exposureStates, exposureView, classicExposure, hostedExposure, InvalidFixError, parseFixes } from './exposure.ts'
export { attentions, Figures, figuresOf, skewVerdicts } from './figures.ts'
export { hostedId, hostedRow } from './hosted/index.ts'
export { Moments } from './moments.ts'
export { type ClassicParts, type HostedParts, type Look, type TimedRow, usualYardstick, type Yardstick } from './parts.ts'
export { upgradeView } from './upgrade.ts'
