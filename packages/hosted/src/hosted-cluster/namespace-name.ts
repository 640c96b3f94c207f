import type { HostedCluster } from '@windlass/api'

type Named = Pick<HostedCluster, 'metadata'>

/** `<namespace>/<name>`: the value of the annotation that leads from an object to its cluster. */
export function clusterKeyOf({ metadata: { namespace = '', name = '' } }: Named): string {
  return `${namespace}/${name}`
}

/**
 * Where the control plane of a cluster lives. Different clusters can have the same: `a-b/c` and `a/b-c`, `x.y` and `x-y`. The second one to come is
 * refused.
 */
export function controlPlaneNamespaceOf({ metadata: { namespace = '', name = '' } }: Named): string {
  return `${namespace}-${name.replaceAll('.', '-')}`
}
