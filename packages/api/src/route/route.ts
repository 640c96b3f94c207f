import { column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { choice, int32, knownWord, list, numberOrText, object, openObject, optional, text, time } from '../schema/index.ts'

const admission = openObject('What one router made of it.', {
  host: optional(text('The name it is served by.')),
  routerName: optional(text('The router.')),
  routerCanonicalHostname: optional(text('The name of the router itself.')),
  conditions: optional(
    list(
      'What has been observed.',
      object('One observation.', {
        type: text('What is observed.'),
        status: knownWord('Whether it holds.', ['True', 'False', 'Unknown']),
        reason: optional(text('Why, in a word.')),
        message: optional(text('Why, in words.')),
        lastTransitionTime: optional(time('When the status changed last.')),
      }),
    ),
  ),
})

/** A name of the outside for a service. Built into OpenShift; this is the part of it that we write. */
export const Route = defineKind({
  group: 'route.openshift.io',
  version: 'v1',
  kind: 'Route',
  plural: 'routes',
  description: 'A name of the outside for a service.',
  spec: openObject('What to serve where.', {
    host: optional(text('The name; chosen by the cluster unless told.', { maxLength: 253 })),
    path: optional(text('Only requests below this path.')),
    to: openObject('Where requests go.', {
      kind: choice('What that is.', ['Service', ''], { default: 'Service' }),
      name: text('Its name.', { minLength: 1 }),
      weight: optional(int32('Its share.', { default: 100, minimum: 0, maximum: 256 })),
    }),
    port: optional(object('Which port of it.', { targetPort: numberOrText('The port, by name or number.') })),
    tls: optional(
      openObject('How the connection is protected.', {
        termination: choice('Where TLS ends.', ['edge', 'reencrypt', 'passthrough']),
        insecureEdgeTerminationPolicy: optional(choice('What happens without TLS.', ['Allow', 'None', 'Redirect', ''])),
      }),
    ),
    wildcardPolicy: optional(choice('Whether names below it are served too.', ['None', 'Subdomain', ''], { default: 'None' })),
  }),
  status: openObject('What routers made of it.', { ingress: optional(list('One entry per router.', admission)) }),
  printerColumns: [
    column('Host', '.status.ingress[0].host'),
    column('Admitted', '.status.ingress[0].conditions[?(@.type=="Admitted")].status'),
    column('Service', '.spec.to.name'),
    column('TLS', '.spec.tls.termination'),
  ],
})
export type Route = ObjectOf<typeof Route>
