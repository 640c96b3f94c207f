import type { AnyController } from '@windlass/kube'
import { machineConfigPools } from './machine-config/index.ts'
import { machineConfigDaemons, nodeDrains } from './nodes/index.ts'
import { operatorsOfCluster, operatorsOfGuest } from './operators/index.ts'
import { type ClusterOptions, clusterSettings } from './settings.ts'
import { type AskedRelease, clusterVersionOperator, guestVersionOperator } from './version-operator/index.ts'

/** Everything that moves a cluster with its own control plane through updates. `standaloneCluster` is one to begin with. */
export function clusterControllers(options: ClusterOptions): readonly AnyController[] {
  const settings = clusterSettings(options)
  return [
    clusterVersionOperator(settings),
    operatorsOfCluster(settings),
    machineConfigPools(settings),
    machineConfigDaemons(settings),
    nodeDrains(settings),
  ]
}

export interface GuestControllerOptions extends ClusterOptions {
  /** Of the hosted cluster; durations differ by it. */
  readonly clusterID: string
  /** Which release its control plane asks for: a `ReleaseFeed`, usually. */
  readonly release: AskedRelease
}

/** The same inside a hosted cluster, against the API of its guest: there are no machine configs, and its control plane says which release it has. */
export function guestControllers({ clusterID, release, ...options }: GuestControllerOptions): readonly AnyController[] {
  const settings = clusterSettings(options)
  return [guestVersionOperator(settings, clusterID, release), operatorsOfGuest(settings)]
}
