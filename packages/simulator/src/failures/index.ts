/**
 * What goes wrong on purpose.
 *
 *   kubectl annotate namespace clusters-prod 'simulator.windlass.dev/fail=crash-loop name=kube-apiserver-*'
 *   kubectl annotate namespace clusters-prod 'simulator.windlass.dev/fail=image-pull image=4.20.1; slow name=etcd-*' --overwrite
 *   kubectl annotate namespace clusters-prod simulator.windlass.dev/fail-
 *
 * - `failure.ts`: the table of failures, and whom one concerns. `parse.ts`: how they are written.
 * - `failures-of.ts`: what goes wrong with one object. Asked for by an annotation on the object (of a Pod: in the template of its workload), on its
 *   namespace, or by a list of planned failures that the simulator is started with.
 */
export { type Failure, type FailureMode, failureModes, type PlannedFailure } from './failure.ts'
export { failing, failureAnnotation, failuresOf, type FailureSources, slowness } from './failures-of.ts'
export { parseFailures, type ParsedFailures } from './parse.ts'
