import { choice, immutable, int32, list, object, optional, rule, text } from '../schema/index.ts'
import type { ObjectOptions } from '../schema/options.ts'

const cidr = (description: string) =>
  text(description, {
    maxLength: 43,
    rules: [
      rule(
        String.raw`self.matches('^((\\d{1,3}\\.){3}\\d{1,3}/\\d{1,2})$') || self.matches('^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?/[0-9]{1,3}$')`,
        'cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)',
      ),
    ],
  })

const fixedOnceSet = (what: string) => rule('self == oldSelf', `${what} is immutable and cannot be modified once set.`)

const oneOrTwo = (what: string, entries?: readonly { readonly cidr: string }[]) => ({
  minItems: 1,
  maxItems: 2,
  rules: [fixedOnceSet(what)],
  ...(entries === undefined ? {} : { default: entries }),
})

const podNetworks = [{ cidr: '10.132.0.0/14' }]
const serviceNetworks = [{ cidr: '172.31.0.0/16' }]

/** What a hosted cluster gets that says nothing about its networks. */
export const defaultNetworking = { clusterNetwork: podNetworks, networkType: 'OVNKubernetes', serviceNetwork: serviceNetworks }

const differ = (one: string, other: string) => `self.${one}.all(a, self.${other}.all(b, a.cidr != b.cidr))`

const network = object('One address range.', { cidr: cidr('The range.') })

const fields = {
  networkType: optional(choice('The network plugin.', ['OpenShiftSDN', 'Calico', 'OVNKubernetes', 'Other'], { default: 'OVNKubernetes' })),
  clusterNetwork: optional(
    list(
      'Where pods get their addresses from.',
      object('One address range.', { cidr: cidr('The range.'), hostPrefix: optional(int32('The prefix length of what each node gets.')) }),
      oneOrTwo('clusterNetwork', podNetworks),
    ),
  ),
  serviceNetwork: optional(list('Where services get their addresses from.', network, oneOrTwo('serviceNetwork', serviceNetworks))),
  machineNetwork: optional(list('Where nodes have their addresses.', network, oneOrTwo('machineNetwork'))),
  allocateNodeCIDRs: optional(
    choice('Whether the controller manager gives nodes their pod ranges.', ['Enabled', 'Disabled'], {
      rules: [fixedOnceSet('allocateNodeCIDRs')],
    }),
  ),
  apiServer: optional(
    object('How nodes and clients reach the API server.', {
      advertiseAddress: optional(text('The address that nodes use.', { maxLength: 255, rules: [immutable('advertiseAddress')] })),
      port: optional(int32('The port that it listens on.', { rules: [immutable('port')] })),
      allowedCIDRBlocks: optional(
        list('From where it may be reached; from everywhere unless told.', cidr('A range.'), { maxItems: 500, as: 'set' }),
      ),
    }),
  ),
}

export function networking(options: Pick<ObjectOptions, 'default'> = {}) {
  return object('The networks of the guest.', fields, {
    ...options,
    rules: [
      rule(
        [
          differ('clusterNetwork', 'serviceNetwork'),
          `(!has(self.machineNetwork) || (${differ('machineNetwork', 'clusterNetwork')} && ${differ('machineNetwork', 'serviceNetwork')}))`,
        ].join(' && '),
        'CIDR ranges in machineNetwork, clusterNetwork, and serviceNetwork must be unique and non-overlapping',
      ),
      rule(
        "!has(self.allocateNodeCIDRs) || self.allocateNodeCIDRs != 'Enabled' || self.networkType == 'Other'",
        "allocateNodeCIDRs can only be set to Enabled when networkType is 'Other'",
      ),
    ],
  })
}
