import { isSerious } from './health.ts'
import type { StatusView } from './view.ts'

const bad: ReadonlySet<string> = new Set(['Degraded', 'Stalled'])

/** Whether somebody should look: the update does not move, something in it is broken, or an error was observed. */
export function needsAttention({ isUpdating, controlPlane, dataPlane, pools, health }: StatusView): boolean {
  if (!isUpdating) return false
  const assessments = [controlPlane.assessment, dataPlane?.assessment ?? '', ...pools.map(({ assessment }) => assessment)]
  return assessments.some((assessment) => bad.has(assessment)) || health.some(isSerious)
}
