/**
 * The view as `oc` prints it, and the same for hosted clusters.
 *
 * - `control-plane.ts`: the block at the top. `pools.ts`, `nodes.ts`: machines. `health.ts`: what is wrong.
 * - `layout.ts`: what they have in common. `bar.ts`: for those who watch.
 */
import type { StatusView } from '../view.ts'
import { controlPlaneLines, dataPlaneLines } from './control-plane.ts'
import { healthLines } from './health.ts'
import { type Layout, separated } from './layout.ts'
import { controlPlaneNodeLines, nodePoolLines, workerParts } from './pools.ts'

export { progressBar } from './bar.ts'
export type { Layout } from './layout.ts'

export function statusLines(view: StatusView, layout: Layout): readonly string[] {
  if (!view.isUpdating) return ['The cluster is not updating.']
  return separated([...(view.cluster === undefined ? standaloneParts(view, layout) : hostedParts(view, layout)), healthLines(view, layout)])
}

function standaloneParts({ controlPlane, pools }: StatusView, layout: Layout): readonly (readonly string[])[] {
  const lines = controlPlaneLines(controlPlane, layout)
  return [
    // A single line needs no title.
    controlPlane.isCompleted ? lines : ['= Control Plane =', ...lines],
    controlPlaneNodeLines(controlPlane, layout),
    ...workerParts(pools, layout),
  ]
}

function hostedParts({ controlPlane, dataPlane, pools }: StatusView, layout: Layout): readonly (readonly string[])[] {
  return [
    ['= Management Side =', ...controlPlaneLines(controlPlane, layout)],
    dataPlane === undefined ? [] : ['= Data Plane =', ...dataPlaneLines(dataPlane)],
    nodePoolLines(pools, layout),
  ]
}
