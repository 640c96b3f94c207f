import type { Plan } from '../../plan/index.ts'
import { Widget } from '../../plan/testing/index.ts'
import type { AsyncControllerDefinition, ControllerDefinition, ReconcileContext } from '../index.ts'
import type { Stage } from './stage.ts'

/** The object that `runFor` looks at. */
export const ref = { namespace: 'default', name: 'a' }

/** A controller whose decision is the test's, made again and again. */
export function deciding(
  decide: (now: number) => Plan,
  parts: Partial<ControllerDefinition<Widget, true>> = {},
): ControllerDefinition<Widget, true> {
  return { name: 'widgets', for: Widget, observe: () => true, decide: (_, now) => decide(now), ...parts }
}

export function reconciling(
  reconcile: (context: ReconcileContext, name: string) => Promise<Plan>,
  parts: Partial<AsyncControllerDefinition<Widget>> = {},
): AsyncControllerDefinition<Widget> {
  return { name: 'widgets', for: Widget, reconcile: ({ name }, context) => reconcile(context, name), ...parts }
}

/** Runs it with one object to look at, for so long. */
export async function runFor(controller: Stage, milliseconds: number): Promise<void> {
  const run = controller.run()
  controller.runner.trigger(ref)
  await controller.clock.advance(milliseconds)
  controller.stop()
  await run
}

/** What metrics heard of passes that ended: `error 0.5`. */
export const finished = ({ counts }: Stage): readonly string[] =>
  counts.filter((count) => count.includes('finished')).map((count) => count.slice('widgets finished '.length))
