/**
 * Commands that show things. Each reads objects, makes a value of them, and prints that: for people as lines, for programs as JSON or YAML.
 *
 * - `show-*.ts`: what the commands do. `history/`, `skew/`, `status/`, `upgrade/`: what they show of one cluster, pure from objects to lines.
 * - `fleet/`, `exposure/`, `why/`, `events/`: what is shown of a whole fleet. `fleet-access.ts`: the way to it. `folder-member.ts`: a fleet from files.
 * - `source.ts`, `folder-source.ts`: where objects come from, a cluster or files. `cluster-access.ts`: the way to the cluster. `hosted-clusters.ts`: a hosted
 *   cluster by the name that a person gives it.
 * - `table.ts`, `rendering.ts`, `colours.ts`, `states.ts`: how results look. `screen.ts`, `watching.ts`: a result that is drawn over and over.
 * - `options.ts`, `output-formats.ts`: the options that all of them take. Commands import these two by themselves: they load nothing.
 */
export { withClient } from './cluster-access.ts'
export { folderSource, objectSource } from './folder-source.ts'
export { type ClusterName, clusterName, findHostedCluster } from './hosted-clusters.ts'
export { rendered } from './rendering.ts'
export { type Screen, scrollingScreen, terminalScreen } from './screen.ts'
export { clusterSource, type Source, type Which } from './source.ts'
export { showHistory } from './show-history.ts'
export { showSkew, type SkewRequest } from './show-skew.ts'
export { showStatus, type StatusRequest } from './show-status.ts'
export { tableLines } from './table.ts'
