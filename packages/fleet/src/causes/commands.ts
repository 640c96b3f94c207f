import type { ObjectPlace } from '../contract/index.ts'

/** Kinds whose names two APIs share. In a management cluster they are those of Cluster API. */
const groups: Readonly<Record<ObjectPlace['side'], Readonly<Record<string, string>>>> = {
  management: {
    Cluster: 'clusters.cluster.x-k8s.io',
    Machine: 'machines.cluster.x-k8s.io',
    MachineSet: 'machinesets.cluster.x-k8s.io',
    MachineDeployment: 'machinedeployments.cluster.x-k8s.io',
    MachineHealthCheck: 'machinehealthchecks.cluster.x-k8s.io',
  },
  guest: { Machine: 'machines.machine.openshift.io', MachineSet: 'machinesets.machine.openshift.io' },
}

/** `pod -n clusters-prod kube-apiserver-0`: an object as kubectl is told of it. */
export function named({ kind, namespace, name, side }: ObjectPlace): string {
  const resource = groups[side][kind] ?? kind.toLowerCase()
  return [resource, ...(namespace === undefined ? [] : ['-n', namespace]), name].join(' ')
}

export function describe(place: ObjectPlace): string {
  return `describe ${named(place)}`
}

export function logsOf(place: ObjectPlace, container: string, isOfLastRun: boolean): string {
  const { namespace = '', name } = place
  return ['logs', '-n', namespace, name, '-c', container, ...(isOfLastRun ? ['--previous'] : [])].join(' ')
}

export function mergePatch(place: ObjectPlace, patch: object): string {
  return `patch ${named(place)} --type=merge -p '${JSON.stringify(patch)}'`
}

/** Where a kubeconfig is that opens the guest of a hosted cluster. */
export interface GuestKey {
  readonly namespace: string
  /** Of the cluster. */
  readonly name: string
  readonly secret: string
}

/**
 * The whole command. The guest of a hosted cluster is another cluster: its kubeconfig is taken from the Secret that people have for it, into a file, since kubectl
 * reads it more than once.
 */
export function commandLine(words: string, side: ObjectPlace['side'], guest: GuestKey | undefined): string {
  if (side === 'management' || guest === undefined) return `kubectl ${words}`
  const { namespace, name, secret } = guest
  const file = `${name}.kubeconfig`
  const saved = `kubectl get secret -n ${namespace} ${secret} -o go-template='{{.data.kubeconfig|base64decode}}' > ${file}`
  return `(umask 077 && ${saved}) && kubectl --kubeconfig ${file} ${words}`
}
