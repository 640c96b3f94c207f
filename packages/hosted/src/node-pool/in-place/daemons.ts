import { ConfigMap, Namespace, Node, Pod } from '@windlass/api'
import { type Action, create, ensure, ensurePatch, remove } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import type { ObservedMachineSet } from './upgrader.ts'

/** Where the daemons of a pool run in its guest, and where their configuration is. */
export function upgradeName(pool: string): string {
  return `${pool}-upgrade`
}

export function daemonName(node: string): string {
  return `machine-config-daemon-${node}`
}

const over: ReadonlySet<string> = new Set(['Succeeded', 'Failed'])

/**
 * One daemon on each node that is not done, with the configuration that it is to apply. A daemon that has ended before its node was done is made anew;
 * one whose node is done goes.
 */
export function daemonActions(
  observed: ObservedMachineSet,
  unfinished: readonly Node[],
  payload: string,
  target: string,
): readonly Action[] {
  const { machineSet, pods, daemonImage } = observed
  const name = upgradeName(machineSet.metadata.name ?? '')
  const because = `nodes are to get configuration ${target}`
  const wanted = new Map(unfinished.map((node) => [daemonName(node.metadata.name ?? ''), node]))
  const live = new Map(pods.map((pod) => [pod.metadata.name ?? '', pod]))
  const superfluous = pods.filter((pod) => !wanted.has(pod.metadata.name ?? ''))
  const ended = pods.filter((pod) => wanted.has(pod.metadata.name ?? '') && over.has(pod.status?.phase ?? ''))
  const missing = [...wanted].filter(([pod]) => !live.has(pod))
  return [
    ...(observed.namespace === undefined ? [create(Namespace, { metadata: { name } }, because)] : []),
    ...configuration(observed.configMap, { metadata: { name, namespace: name }, data: { config: payload, hash: target } }, because),
    ...[...superfluous, ...ended].flatMap((pod) => gone(pod, over.has(pod.status?.phase ?? '') ? 'it has ended' : 'its node is done')),
    ...missing.map(([pod, node]) => create(Pod, daemon(pod, name, node.metadata.name ?? '', daemonImage), because)),
  ]
}

function configuration(live: ConfigMap | undefined, draft: Draft<ConfigMap>, because: string): readonly Action[] {
  const isThere = live !== undefined && ensurePatch(live, draft, ['data']) === undefined
  return isThere ? [] : [ensure(ConfigMap, draft, because, { owns: ['data'] })]
}

/** Nothing is left to do: all daemons go. */
export function daemonRemoval({ pods }: ObservedMachineSet): readonly Action[] {
  return pods.flatMap((pod) => gone(pod, 'every node is done'))
}

function gone(pod: Pod, because: string): readonly Action[] {
  return pod.metadata.deletionTimestamp === undefined ? [remove(Pod, pod, because)] : []
}

function daemon(name: string, namespace: string, node: string, image: string): Draft<Pod> {
  return {
    metadata: { name, namespace, labels: { 'k8s-app': 'machine-config-daemon' } },
    spec: {
      nodeName: node,
      hostNetwork: true,
      hostPID: true,
      restartPolicy: 'OnFailure',
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'machine-config-daemon',
          image,
          command: ['/usr/bin/machine-config-daemon'],
          args: [
            'start',
            `--node-name=${node}`,
            '--root-mount=/rootfs',
            '--desired-configmap=/etc/machine-config-daemon-desired-config',
            '--skip-reboot=false',
          ],
          securityContext: { privileged: true, runAsUser: 0 },
          volumeMounts: [
            { name: 'rootfs', mountPath: '/rootfs' },
            { name: 'desired-config-mount', mountPath: '/rootfs/etc/machine-config-daemon-desired-config' },
          ],
        },
      ],
      volumes: [
        { name: 'rootfs', hostPath: { path: '/' } },
        { name: 'desired-config-mount', configMap: { name: namespace } },
      ],
    },
  }
}
