import { choice, int32, list, object, optional, rule, text } from '../schema/index.ts'

const hostname = text('The name it is reached by.', {
  minLength: 1,
  maxLength: 253,
  rules: [
    rule(String.raw`self.matches('^(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}$')`, 'hostname must be a valid domain name (e.g., example.com)'),
  ],
})

const group = '[0-9a-fA-F]{1,4}'

/** An IPv6 address may leave out one run of zero groups, wherever it is; hence one alternative per place. */
const ipv6 = [
  `(${group}:){7}${group}`,
  `(${group}:){1,7}:`,
  ...[1, 2, 3, 4, 5].map((after) => `(${group}:){1,${7 - after}}(:${group}){1,${after}}`),
  `${group}:(:${group}){1,6}`,
  `:((:${group}){1,7}|:)`,
].join('|')

const address = text('A name or an address of the nodes.', {
  minLength: 1,
  maxLength: 253,
  rules: [
    rule(
      [
        String.raw`self.matches('^(([a-zA-Z0-9][-a-zA-Z0-9]*\\.)+[a-zA-Z]{2,}|localhost)$')`,
        String.raw`self.matches('^((\\d{1,3}\\.){3}\\d{1,3})$')`,
        `self.matches('^(${ipv6})$')`,
      ].join(' || '),
      'address must be a valid hostname, IPv4, or IPv6 address',
    ),
  ],
})

const noneOf = '!has(self.nodePort) && !has(self.route) && !has(self.loadBalancer)'

const strategy = object(
  'How the service is made reachable.',
  {
    type: choice('The way.', ['LoadBalancer', 'NodePort', 'Route', 'None', 'S3']),
    loadBalancer: optional(object('For LoadBalancer.', { hostname: optional(hostname) })),
    nodePort: optional(object('For NodePort.', { address, port: optional(int32('The port; chosen by the cluster unless told.')) })),
    route: optional(object('For Route.', { hostname: optional(hostname) })),
  },
  {
    rules: [
      rule("(self.type == 'NodePort') == has(self.nodePort)", 'nodePort is required when type is NodePort, and forbidden otherwise'),
      rule(
        "self.type == 'Route' ? !has(self.nodePort) && !has(self.loadBalancer) : !has(self.route)",
        'only route is allowed when type is Route, and forbidden otherwise',
      ),
      rule(
        "self.type == 'LoadBalancer' ? !has(self.nodePort) && !has(self.route) : !has(self.loadBalancer)",
        'only loadBalancer is required when type is LoadBalancer, and forbidden otherwise',
      ),
      rule(`self.type != 'None' || (${noneOf})`, 'None does not allowed any configuration for loadBalancer, nodePort, or route'),
      rule(`self.type != 'S3' || (${noneOf})`, 'S3 does not allowed any configuration for loadBalancer, nodePort, or route'),
    ],
  },
)

/** How the outside reaches the services of a control plane. */
export const services = list(
  'How the services of the control plane are made reachable.',
  object('One service.', {
    service: choice('Which.', ['APIServer', 'OAuthServer', 'OIDC', 'Konnectivity', 'Ignition', 'OVNSbDb']),
    servicePublishingStrategy: strategy,
  }),
  { maxItems: 6 },
)

/** IBM Cloud runs no OAuth server of its own and so has a service less. */
export const enoughServices = rule(
  "size(self.services) >= (self.platform.type == 'IBMCloud' ? 3 : 4)",
  'spec.services in body should have at least 4 items or 3 for IBMCloud',
)
