/**
 * What kubectl is checked for, one file per thing that people do with it. Each check has a namespace of its own and needs no other; a check
 * that an old kubectl cannot do says since which version it is there. The objects are in `manifests/`, as users would have them.
 */
import { access } from './access.ts'
import { apply } from './apply.ts'
import { change } from './change.ts'
import type { Check } from './check.ts'
import { create } from './create.ts'
import { deletion } from './delete.ts'
import { describe } from './describe.ts'
import { discovery } from './discovery.ts'
import { drain } from './drain.ts'
import { dryRun } from './dry-run.ts'
import { get } from './get.ts'
import { namespaces } from './namespaces.ts'
import { rollout } from './rollout.ts'
import { serverSideApply } from './server-side-apply.ts'
import { wait } from './wait.ts'

export type { Check, Scene } from './check.ts'

export const checks: readonly Check[] = [
  ...discovery,
  ...get,
  ...describe,
  ...create,
  ...apply,
  ...serverSideApply,
  ...change,
  ...dryRun,
  ...wait,
  ...deletion,
  ...namespaces,
  ...access,
  ...rollout,
  ...drain,
]
