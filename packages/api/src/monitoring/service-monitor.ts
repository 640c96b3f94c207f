import { defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { labelSelector } from '../meta/index.ts'
import { flag, list, numberOrText, object, openObject, optional, text } from '../schema/index.ts'

const relabeling = openObject('One step.', {
  sourceLabels: optional(list('Labels to look at.', text('A label.'))),
  regex: optional(text('What to look for.')),
  targetLabel: optional(text('The label to write.')),
  replacement: optional(text('What to write.')),
  action: optional(text('What to do; replace unless told.')),
})

const endpoint = openObject('One port.', {
  port: optional(text('The name of the port.')),
  targetPort: optional(numberOrText('The port of the pod, when the service has none.')),
  path: optional(text('The path; /metrics unless told.')),
  scheme: optional(text('http or https.')),
  interval: optional(text('How often, such as 30s.')),
  scrapeTimeout: optional(text('How long to wait for an answer.')),
  honorLabels: optional(flag('Whether labels of the target win.')),
  bearerTokenFile: optional(text('The file with a token to send.')),
  tlsConfig: optional(
    openObject('How to check the certificate.', {
      serverName: optional(text('The name in it.')),
      insecureSkipVerify: optional(flag('Whether not to check it at all.')),
    }),
  ),
  relabelings: optional(list('What to do with labels before scraping.', relabeling)),
  metricRelabelings: optional(list('What to do with labels of samples.', relabeling)),
})

/** Tells Prometheus which services to scrape. Belongs to the Prometheus operator; this is the part of it that we write. */
export const ServiceMonitor = defineKind({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'ServiceMonitor',
  plural: 'servicemonitors',
  shortNames: ['smon'],
  categories: ['prometheus-operator'],
  description: 'Tells Prometheus which services to scrape.',
  spec: openObject('What to scrape.', {
    selector: labelSelector('Which services.'),
    namespaceSelector: optional(
      object('In which namespaces; in its own unless told.', {
        any: optional(flag('In all of them.')),
        matchNames: optional(list('In these.', text('A namespace.'))),
      }),
    ),
    endpoints: list('Which ports of them.', endpoint),
    jobLabel: optional(text('The label of the service that names the job.')),
  }),
})
export type ServiceMonitor = ObjectOf<typeof ServiceMonitor>
