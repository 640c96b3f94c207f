import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { standardConditions } from '../meta/index.ts'
import { choice, immutable, int64, object, optional, rule, text } from '../schema/index.ts'

const dnsLabel = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'

/**
 * A whole Kubernetes API of its own inside the embedded server, served below `/clusters/<name>`. Creating the object creates the
 * API, deleting it deletes everything in it.
 *
 * - `spec.template` names the cluster whose CRDs it shares without copying them. It is fixed at birth: changing it would change
 *   the schema of objects that exist.
 * - `status.url` and `status.kubeconfigSecretRef` say how to get in. The credentials are good for that cluster alone.
 * - A phase of `Deleting` means that objects are still being removed; the finalizer goes with the last one.
 */
export const LogicalCluster = defineKind({
  group: 'windlass.dev',
  version: 'v1alpha1',
  kind: 'LogicalCluster',
  plural: 'logicalclusters',
  shortNames: ['lc'],
  categories: ['windlass'],
  scope: 'Cluster',
  description: 'A whole Kubernetes API of its own inside the embedded server, served below /clusters/<name>.',
  spec: object(
    'The API that is asked for.',
    {
      template: optional(
        text('The cluster whose CRDs it shares, or root; it starts without any unless told.', {
          minLength: 1,
          maxLength: 63,
          pattern: dnsLabel,
          rules: [immutable('template')],
        }),
      ),
    },
    { rules: [rule('has(self.template) == has(oldSelf.template)', 'template cannot be added or removed after creation')] },
  ),
  status: object('How to reach it.', {
    phase: optional(choice('How far it is.', ['Creating', 'Ready', 'Deleting'])),
    url: optional(text('Where its API is served, ending in /clusters/<name>.', { maxLength: 2048 })),
    kubeconfigSecretRef: optional(
      object('The Secret in the root cluster with a kubeconfig for it.', {
        namespace: text('Its namespace.', { minLength: 1, maxLength: 63 }),
        name: text('Its name.', { minLength: 1, maxLength: 253 }),
        key: text('The key in it.', { minLength: 1, maxLength: 253 }),
      }),
    ),
    observedGeneration: optional(int64('The generation that this was judged from.', { minimum: 0 })),
    conditions: optional(standardConditions({ maxItems: 10 })),
  }),
  rules: [
    rule(
      `self.metadata.name != 'root' && size(self.metadata.name) <= 63 && self.metadata.name.matches('${dnsLabel}')`,
      "name must consist of at most 63 lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and not be root",
    ),
  ],
  printerColumns: [
    column('Phase', '.status.phase'),
    column('Template', '.spec.template'),
    column('URL', '.status.url', { priority: 1 }),
    ageColumn,
  ],
})
export type LogicalCluster = ObjectOf<typeof LogicalCluster>
