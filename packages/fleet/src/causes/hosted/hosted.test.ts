import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ControlPlaneComponent, HostedControlPlane, Namespace } from '@windlass/api'
import {
  aCapiCluster,
  aClusterOperator,
  aClusterVersion,
  aControlPlaneComponent,
  aDeployment,
  aHostedCluster,
  aHostedControlPlane,
  aNamespace,
  aPod,
  aReleaseImage,
  aService,
} from '@windlass/api/fixtures'
import { decideCauses } from '../decide.ts'
import { type HostedEvidence, noControlPlane, noGuest, noMachines } from '../evidence.ts'
import { ago, aHostedEvidence, now, paths, since } from '../testing/index.ts'

type Status = NonNullable<ReturnType<typeof aHostedCluster>['status']>
type Conditions = NonNullable<Status['conditions']>

/** The cluster with these conditions beside its own. */
function saying(...conditions: Conditions): ReturnType<typeof aHostedCluster> {
  const cluster = aHostedCluster()
  const types = new Set(conditions.map(({ type }) => type))
  const others = (cluster.status?.conditions ?? []).filter(({ type }) => !types.has(type))
  return { ...cluster, status: { ...(cluster.status as Status), conditions: [...others, ...conditions] } }
}

/** On its way from 4.19.6 to 4.20.1, for 50 minutes unless told. */
function upgrading(minutes = 50): ReturnType<typeof aHostedCluster> {
  const cluster = aHostedCluster()
  const { controlPlaneVersion } = cluster.status ?? {}
  const image = aReleaseImage('4.20.1')
  const history = [
    { state: 'Partial' as const, version: '4.20.1', image, startedTime: ago(minutes) },
    ...(controlPlaneVersion?.history ?? []),
  ]
  const moving = { desired: { version: '4.20.1', image }, history, observedGeneration: 2 }
  return { ...cluster, status: { ...(cluster.status as Status), controlPlaneVersion: moving } }
}

function component(name: string, reason: string, message = '', version = '4.19.6'): ControlPlaneComponent {
  return aControlPlaneComponent({
    name,
    status: {
      version,
      observedGeneration: 2,
      conditions: [since(90, 'Available', 'True', 'AsExpected'), since(40, 'RolloutComplete', 'False', reason, message)],
    },
  })
}

const waiting = (name: string, ...others: readonly string[]) =>
  component(name, 'WaitingForDependencies', `Waiting for Dependencies: ${others.join(', ')}`)
const rolling = (name: string) => component(name, 'WaitingForRolloutComplete', 'one of three is there')

const crashing = aPod({
  name: 'etcd-0',
  metadata: { name: 'etcd-0', namespace: 'clusters-prod', labels: { app: 'etcd' } },
  status: {
    phase: 'Running',
    startTime: ago(30),
    conditions: [since(30, 'Ready', 'False', 'ContainersNotReady')],
    containerStatuses: [
      { name: 'etcd', ready: false, restartCount: 9, image: 'i', imageID: '', state: { waiting: { reason: 'CrashLoopBackOff' } } },
    ],
  },
})
const etcd = aDeployment({
  name: 'etcd',
  namespace: 'clusters-prod',
  spec: { replicas: 3, selector: { matchLabels: { app: 'etcd' } } },
  status: { observedGeneration: 1, replicas: 3, updatedReplicas: 1, availableReplicas: 2 },
})

const answer = (parts: Partial<HostedEvidence>) => decideCauses(aHostedEvidence(parts), now)

describe('a hosted cluster that rests', () => {
  it('waits for nothing', () => {
    const view = answer({ components: [aControlPlaneComponent()] })
    assert.deepEqual(view.chains, [])
    assert.equal(view.verdict, 'Cluster mgmt/clusters/prod waits for nothing: its control plane runs 4.19.6.')
  })
})

describe('components that wait for each other', () => {
  it('N16 lead to the one that waits for no other, and from there to its Pod', () => {
    const view = answer({
      hostedCluster: upgrading(),
      components: [
        rolling('etcd'),
        waiting('kube-apiserver', 'etcd'),
        waiting('kube-scheduler', 'kube-apiserver'),
        waiting('router', 'kube-apiserver'),
      ],
      controlPlane: { ...noControlPlane, deployments: [etcd], pods: [crashing] },
    })
    assert.deepEqual(paths(view), [
      'HostedCluster prod > ControlPlaneComponent kube-apiserver [WaitingForDependencies] > ControlPlaneComponent etcd [WaitingForRolloutComplete] > Deployment etcd > Pod etcd-0 [CrashLoopBackOff]',
    ])
    assert.match(view.chains[0]?.links[1]?.says ?? '', /^it waits for etcd, and 2 components wait for it$/)
    assert.equal(view.chains[0]?.command, 'kubectl logs -n clusters-prod etcd-0 -c etcd --previous')
    assert.match(view.verdict, /^The upgrade to 4\.20\.1 has waited for 30m for etcd: container etcd ends soon after it starts/)
  })

  it('are told in the order of what explains most, and what is broken before what goes on', () => {
    const view = answer({
      hostedCluster: upgrading(),
      components: [
        rolling('etcd'),
        component('featuregate-generator', 'ReconciliationError', 'no image'),
        waiting('kube-apiserver', 'etcd', 'featuregate-generator'),
        component('router', 'ReconciliationError', 'no route'),
      ],
    })
    assert.deepEqual(
      view.chains.map(({ links }) => links.at(-1)?.object.name),
      ['featuregate-generator', 'router', 'etcd'],
    )
  })

  it('lead to one that is not there', () => {
    const view = answer({ hostedCluster: upgrading(), components: [waiting('kube-apiserver', 'etcd')] })
    assert.deepEqual(paths(view), [
      'HostedCluster prod > ControlPlaneComponent kube-apiserver [WaitingForDependencies] > ControlPlaneComponent etcd [Missing]',
    ])
  })

  it('that nobody has told of the release are one cause', () => {
    const view = answer({ hostedCluster: upgrading(), components: ['a', 'b'].map((name) => aControlPlaneComponent({ name })) })
    assert.deepEqual(paths(view), ['HostedCluster prod > HostedControlPlane prod [NotBegun]'])
    assert.match(
      view.verdict,
      /^The upgrade to 4\.20\.1 goes on as usual\. It waits for HostedControlPlane prod: 2 components have not been told of 4\.20\.1 yet\.$/,
    )
  })

  it('are said to take too long by what an update may take there', () => {
    const evidence = aHostedEvidence({ hostedCluster: upgrading(10), components: [rolling('etcd')] })
    assert.match(decideCauses(evidence, now, 3 * 60_000).verdict, /^The upgrade to 4\.20\.1 takes longer than it may\. /)
    assert.match(decideCauses(evidence, now).verdict, /^The upgrade to 4\.20\.1 goes on as usual\. /)
  })

  it('N14 are said to take too long once the update does, though nothing is wrong', () => {
    const view = answer({ hostedCluster: upgrading(72), components: [rolling('etcd')] })
    assert.equal(
      view.verdict,
      'The upgrade to 4.20.1 takes longer than it may. It waits for etcd: it has not rolled out 4.20.1: one of three is there.',
    )
    assert.equal(
      answer({ hostedCluster: upgrading(72) }).verdict,
      'The upgrade to 4.20.1 has been under way for 72m, longer than it may take, and nothing is known that stands in its way.',
    )
  })

  it('C23 lead to the Deployment that an operator looks after', () => {
    const operator = component('cluster-network-operator', 'WaitingForOperands', 'deployment etcd is not ready')
    const view = answer({
      hostedCluster: upgrading(),
      components: [operator],
      controlPlane: { ...noControlPlane, deployments: [etcd], pods: [crashing] },
    })
    assert.deepEqual(paths(view), [
      'HostedCluster prod > ControlPlaneComponent cluster-network-operator [WaitingForOperands] > Deployment etcd > Pod etcd-0 [CrashLoopBackOff]',
    ])
  })

  it('that break later are told though no update runs', () => {
    const broken = aControlPlaneComponent({
      name: 'etcd',
      status: {
        version: '4.19.6',
        conditions: [
          since(10, 'Available', 'False', 'WaitingForAvailable'),
          since(10, 'RolloutComplete', 'False', 'WaitingForRolloutComplete'),
        ],
      },
    })
    const view = answer({ components: [broken], controlPlane: { ...noControlPlane, deployments: [etcd], pods: [crashing] } })
    assert.match(paths(view)[0] ?? '', /Pod etcd-0 \[CrashLoopBackOff\]$/)
    assert.match(view.verdict, /^Cluster mgmt\/clusters\/prod has waited for 10m for etcd/)
  })
})

describe('conditions of a hosted cluster', () => {
  it('L24 say that it is paused, and how to end that', () => {
    const view = answer({
      hostedCluster: saying(since(9, 'ReconciliationActive', 'False', 'ReconciliationPaused', 'Reconciliation paused until field removed')),
    })
    assert.deepEqual(paths(view), ['HostedCluster prod [ReconciliationPaused]'])
    assert.equal(view.chains[0]?.command, `kubectl patch hostedcluster -n clusters prod --type=merge -p '{"spec":{"pausedUntil":null}}'`)
    assert.match(view.verdict, /does not go on: it is paused/)
  })

  it('L19 say that a release is refused; that the pass fails for it is not told again', () => {
    const view = answer({
      hostedCluster: saying(
        since(9, 'ValidReleaseImage', 'False', 'InvalidImage', 'y-stream downgrade from "4.19.6" to "4.18.1" is not supported'),
        since(9, 'Progressing', 'False', 'Blocked', 'ValidReleaseImage condition is false: y-stream downgrade'),
        since(9, 'ReconciliationSucceeded', 'False', 'ReconciliationError', 'y-stream downgrade'),
      ),
    })
    assert.deepEqual(paths(view), ['HostedCluster prod [InvalidImage]'])
  })

  it('lead to a pull secret that is missing', () => {
    const view = answer({ hostedCluster: saying(since(9, 'ValidReleaseImage', 'False', 'SecretNotFound', 'no such Secret')) })
    assert.deepEqual(paths(view), ['HostedCluster prod [SecretNotFound] > Secret prod-pull-secret [SecretNotFound]'])
  })

  it('lead to a Service without a load balancer, which is given some minutes', () => {
    const hostedCluster = saying(
      since(9, 'InfrastructureReady', 'False', 'WaitingOnInfrastructureReady', 'kube-apiserver load balancer is provisioning'),
    )
    const service = (minutes: number) =>
      aService({
        metadata: { name: 'kube-apiserver', namespace: 'clusters-prod', creationTimestamp: ago(minutes) },
        spec: { type: 'LoadBalancer' },
        status: {},
      })
    const [late, early] = [20, 1].map((minutes) =>
      answer({ hostedCluster, controlPlane: { ...noControlPlane, services: [service(minutes)] } }),
    )
    assert.deepEqual(late === undefined ? [] : paths(late), [
      'HostedCluster prod [WaitingOnInfrastructureReady] > Service kube-apiserver [NoLoadBalancer]',
    ])
    assert.match(late?.verdict ?? '', /has waited for 9m for Service kube-apiserver/)
    assert.equal(early?.chains.length, 1)
  })

  it('of etcd are told by what is wrong with etcd, where that is known', () => {
    const hostedCluster = saying(since(9, 'EtcdAvailable', 'False', 'EtcdWaitingForQuorum', '1 of 3'))
    assert.deepEqual(paths(answer({ hostedCluster })), ['HostedCluster prod [EtcdWaitingForQuorum]'])
    const components = [rolling('etcd')]
    const controlPlane = { ...noControlPlane, deployments: [etcd], pods: [crashing] }
    assert.deepEqual(paths(answer({ hostedCluster, components, controlPlane })), [
      'HostedCluster prod > ControlPlaneComponent etcd [WaitingForRolloutComplete] > Deployment etcd > Pod etcd-0 [CrashLoopBackOff]',
    ])
  })

  it('that nobody expected come with a pass that fails', () => {
    const view = answer({
      hostedCluster: saying(since(9, 'ReconciliationSucceeded', 'False', 'ReconciliationError', 'Secret prod-ssh-key not found')),
    })
    assert.match(view.verdict, /does not go on: its operator cannot do all that it should: Secret prod-ssh-key not found\.$/)
  })

  it('L40 that are not known are said to be so, once the cluster is installed', () => {
    const silent = saying(since(9, 'ClusterVersionSucceeding', 'Unknown', 'StatusUnknown', 'the API of the guest does not answer'))
    assert.deepEqual(answer({ hostedCluster: silent }).unknown, [
      'ClusterVersionSucceeding of HostedCluster prod is not known: the API of the guest does not answer.',
    ])
    const { controlPlaneVersion: _, ...status } = silent.status as Status
    assert.deepEqual(answer({ hostedCluster: { ...silent, status } }).unknown, [])
  })

  it('say that the API does not answer, and where', () => {
    const view = answer({
      hostedCluster: saying(since(9, 'Available', 'False', 'KASLoadBalancerNotReachable', 'connect ETIMEDOUT')),
      controlPlane: { ...noControlPlane, services: [aService()] },
    })
    assert.deepEqual(paths(view), [
      'HostedCluster prod [KASLoadBalancerNotReachable] > Service kube-apiserver [KASLoadBalancerNotReachable]',
    ])
  })
})

describe('the gate of a minor upgrade', () => {
  const hostedCluster = saying(
    since(9, 'Progressing', 'False', 'Blocked', 'ClusterVersionUpgradeable condition is false: cluster version is not upgradeable'),
    since(9, 'ClusterVersionUpgradeable', 'False', 'AdminAckRequired', 'read the notes'),
  )

  it('L13 is told with the words of the guest', () => {
    const view = answer({ hostedCluster })
    assert.deepEqual(paths(view), ['HostedCluster prod [Blocked]'])
    assert.match(view.verdict, /cluster version is not upgradeable \(read the notes\)\.$/)
  })

  it('leads to the operator of the guest that objects', () => {
    const objection = since(50, 'Upgradeable', 'False', 'OldApi', 'widgets are gone')
    const clusterVersion = aClusterVersion()
    const conditions = [...(clusterVersion.status?.conditions ?? []), objection]
    const said = { ...clusterVersion, status: { ...clusterVersion.status, conditions } } as typeof clusterVersion
    const operators = [aClusterOperator({ name: 'widgets', status: { conditions: [objection] } })]
    const view = answer({ hostedCluster, guest: { ...noGuest, clusterVersion: said, operators } })
    assert.deepEqual(paths(view), ['HostedCluster prod [Blocked] > ClusterVersion version [OldApi] > ClusterOperator widgets [OldApi]'])
    assert.equal(
      view.chains[0]?.command,
      "(umask 077 && kubectl get secret -n clusters prod-admin-kubeconfig -o go-template='{{.data.kubeconfig|base64decode}}' > prod.kubeconfig) && kubectl --kubeconfig prod.kubeconfig describe clusteroperator widgets",
    )
  })
})

describe('a hosted cluster that is being deleted', () => {
  const going = {
    ...aHostedCluster(),
    metadata: { ...aHostedCluster().metadata, deletionTimestamp: ago(30), finalizers: ['hypershift.openshift.io/finalizer'] },
  }
  const deleting = (parts: Partial<HostedEvidence>) => paths(answer({ hostedCluster: going, ...parts }))

  it('L27 waits for Cluster API first', () => {
    const cluster = aCapiCluster({ metadata: { name: 'prod-7k2xq', namespace: 'clusters-prod', deletionTimestamp: ago(29) } })
    const itself = aHostedControlPlane()
    assert.deepEqual(deleting({ machines: { ...noMachines, clusters: [cluster] }, controlPlane: { ...noControlPlane, itself } }), [
      'HostedCluster prod [Deleting] > Cluster prod-7k2xq [Deleting]',
    ])
  })

  it('L34 then for what the guest has in the cloud', () => {
    const itself: HostedControlPlane = aHostedControlPlane({
      status: {
        ready: true,
        initialized: true,
        conditions: [
          since(8, 'CVOScaledDown', 'True', 'CVOScaledDown'),
          since(5, 'CloudResourcesDestroyed', 'False', 'RemainingCloudResources', 'two volumes are left'),
        ],
      },
    })
    assert.deepEqual(deleting({ controlPlane: { ...noControlPlane, itself } }), [
      'HostedCluster prod [Deleting] > HostedControlPlane prod [RemainingCloudResources]',
    ])
  })

  it('L28 then for its namespace, and there for a Pod that does not end', () => {
    const namespace: Namespace = {
      ...aNamespace({ name: 'clusters-prod' }),
      metadata: { name: 'clusters-prod', deletionTimestamp: ago(20) },
    }
    const stuck = aPod({ metadata: { name: 'etcd-0', namespace: 'clusters-prod', deletionTimestamp: ago(15) } })
    assert.deepEqual(deleting({ controlPlane: { ...noControlPlane, namespace, pods: [stuck] } }), [
      'HostedCluster prod [Deleting] > Namespace clusters-prod [Terminating] > Pod etcd-0 [Terminating]',
    ])
  })

  it('L29 then for its grace period, and last for its finalizers', () => {
    const destroyed = since(2, 'HostedClusterDestroyed', 'True', 'WaitingForGracePeriod', 'Grace period set: 2m0s')
    const waitingFor = { ...going, status: { ...(going.status as Status), conditions: [destroyed] } }
    assert.deepEqual(paths(answer({ hostedCluster: waitingFor })), ['HostedCluster prod [WaitingForGracePeriod]'])
    assert.deepEqual(deleting({}), ['HostedCluster prod [Deleting]'])
  })
})
