import { type OperatorSort, type Payload, payloadOf, type PayloadOperator, type PayloadStep } from './payload.ts'

/** Name, manifest at which it is waited for, minutes of work on the reference cluster, and what is special about it. */
type Row = readonly [name: string, manifest: number, minutes: number, sort?: OperatorSort | 'quiet']

/**
 * What a release does, in the order in which it does it, with the last manifest of each step. Times are those of an update that takes an hour: the step
 * before ends where the next begins, so that all operators of a step start at once.
 */
const rows: readonly (readonly [last: number, ...operators: readonly Row[]])[] = [
  [24],
  [57, ['config-operator', 55, 1.7, 'quiet']],
  [102, ['etcd', 68, 4.2, 'static-pods'], ['kube-apiserver', 99, 7.9, 'static-pods']],
  [120, ['kube-controller-manager', 111, 3.3, 'static-pods'], ['kube-scheduler', 120, 6.2, 'static-pods']],
  [159, ['cloud-controller-manager', 152, 2.4]],
  [219, ['control-plane-machine-set', 168, 2.1], ['machine-api', 217, 3.7]],
  [242, ['baremetal', 240, 0.3, 'quiet']],
  [
    692,
    ['cloud-credential', 257, 0.2, 'quiet'],
    ['authentication', 270, 6.4],
    ['cluster-autoscaler', 293, 0.6, 'quiet'],
    ['csi-snapshot-controller', 317, 1.0],
    ['image-registry', 339, 3.2],
    ['ingress', 359, 4.1],
    ['kube-storage-version-migrator', 369, 0.8, 'quiet'],
    ['machine-approver', 381, 0.5, 'quiet'],
    ['monitoring', 405, 7.3, 'daemon-set'],
    ['node-tuning', 434, 3.8, 'daemon-set'],
    ['openshift-apiserver', 443, 5.6],
    ['openshift-controller-manager', 457, 2.9],
    ['openshift-samples', 477, 1.4, 'quiet'],
    ['storage', 519, 4.9],
    ['console', 573, 3.5],
    ['insights', 624, 1.2, 'quiet'],
    ['operator-lifecycle-manager', 666, 2.0],
    ['operator-lifecycle-manager-catalog', 667, 2.1],
    ['operator-lifecycle-manager-packageserver', 668, 2.3],
    ['marketplace', 679, 1.6, 'quiet'],
    ['service-ca', 692, 8.5],
  ],
  [711, ['network', 701, 8.8, 'daemon-set'], ['dns', 711, 10.2, 'daemon-set']],
  [736, ['machine-config', 736, 0.5, 'machine-config']],
  [862],
]

/** In a hosted cluster these are not there: the nodes, the machines and the rest of the control plane are somebody else's business. */
const notHosted = new Set([
  'authentication',
  'baremetal',
  'cloud-controller-manager',
  'cloud-credential',
  'cluster-autoscaler',
  'config-operator',
  'control-plane-machine-set',
  'etcd',
  'machine-api',
  'machine-approver',
  'machine-config',
  'marketplace',
])

const steps = rows.map(([last, ...operators], index) => stepOf(rows[index - 1]?.[0] ?? 0, last, operators))

/** What a release does to a cluster that has its own control plane. */
export const selfManagedPayload: Payload = payloadOf('include.release.openshift.io/self-managed-high-availability', steps)

/** The same with more operators, beside most of the others: releases grow. Each works for two minutes. */
export function largerPayload(names: readonly string[]): Payload {
  const fullest = steps.reduce((most, step) => (step.operators.length > most.operators.length ? step : most))
  const more = names.map((name, index) => operatorOf([name, index + 1, 2]))
  const larger = { manifests: fullest.manifests + names.length, operators: [...fullest.operators, ...more] }
  return payloadOf(
    selfManagedPayload.mark,
    steps.map((step) => (step === fullest ? larger : step)),
  )
}

/** What is left of it inside a hosted cluster. Steps of which nothing is left are not taken. */
export const hostedPayload: Payload = payloadOf(
  'include.release.openshift.io/ibm-cloud-managed',
  steps.flatMap((step, index) => {
    const operators = step.operators.filter(({ name }) => !notHosted.has(name))
    const isBare = step.operators.length === 0 && (index === 0 || index === steps.length - 1)
    return isBare ? [step] : operators.length === 0 ? [] : [{ ...step, operators }]
  }),
)

function stepOf(before: number, last: number, operators: readonly Row[]): PayloadStep {
  return { manifests: last - before, operators: operators.map(operatorOf) }
}

function operatorOf([name, manifest, minutes, word = 'ordinary']: Row): PayloadOperator {
  const isQuiet = word === 'quiet'
  return { name, sort: isQuiet ? 'ordinary' : word, minutes, isQuiet, manifest }
}
