/**
 * The view as `oc` prints it, and the same for hosted clusters.
 *
 * - `control-plane.ts`: the block at the top. `pools.ts`, `nodes.ts`: machines. `health.ts`: what is wrong.
 * - `layout.ts`: what they have in common. `bar.ts`: for those who watch.
 */
import type { StatusView } from '../view.ts'
import { controlPlaneLines, dataPlaneLines } from './control-plane.ts'
import { healthLines, restingLines } from './health.ts'
import { type Layout, separated } from './layout.ts'
import { controlPlaneNodeLines, nodePoolLines, workerParts } from './pools.ts'

export { progressBar } from './bar.ts'
export type { Layout } from './layout.ts'

export function statusLines(view: StatusView, layout: Layout): readonly string[] {
  const { notes = [] } = view
  const noted = notes.map((note) => `Note: ${note}`)
  if (!view.isUpdating) return separated([['The cluster is not updating.', ...restingLines(view, layout)], noted])
  const parts = view.cluster === undefined ? standaloneParts(view, layout) : hostedParts(view, layout)
  return separated([...parts, healthLines(view, layout), noted])
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
    dataPlane === undefined ? [] : ['= Data Plane =', ...dataPlaneLines(dataPlane, layout)],
    nodePoolLines(pools, layout),
  ]
}
