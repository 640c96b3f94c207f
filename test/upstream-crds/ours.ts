import type { Sample } from './sample.ts'

/** Kinds that only our own CRDs have: small ones of what others own, and the one that is ours. */
export const ours: Readonly<Record<string, Sample>> = {
  'logicalclusters.windlass.dev/v1alpha1': {
    spec: {},
    refused: [
      {
        how: 'update',
        change: { spec: { template: 'other' } },
        says: ['spec: Invalid value: "object": template cannot be added or removed after creation'],
      },
      {
        how: 'create',
        change: { metadata: { name: 'root' } },
        says: [
          '<nil>: Invalid value: "object": name must consist of at most 63 lowercase alphanumeric characters or \'-\', start and end with an alphanumeric character, and not be root',
        ],
      },
    ],
  },
  'machines.machine.openshift.io/v1beta1': {
    spec: { providerSpec: { value: { anything: true } } },
    refused: [
      {
        how: 'create',
        change: { spec: { providerID: 5 } },
        says: ['spec.providerID: Invalid value: "integer": spec.providerID in body must be of type string: "integer"'],
      },
    ],
  },
  'machinesets.machine.openshift.io/v1beta1': {
    spec: { selector: { matchLabels: { pool: 'workers' } } },
    defaults: { replicas: 1 },
    refused: [
      {
        how: 'create',
        change: { spec: { deletePolicy: 'Youngest' } },
        says: ['spec.deletePolicy: Unsupported value: "Youngest": supported values: "Random", "Newest", "Oldest"'],
      },
    ],
  },
  'prometheusrules.monitoring.coreos.com/v1': {
    spec: { groups: [{ name: 'a', rules: [{ alert: 'Down', expr: 'up == 0' }] }] },
    refused: [
      {
        how: 'create',
        change: { spec: { groups: [{ name: 'a' }, { name: 'a' }] } },
        says: ['spec.groups[1]: Duplicate value: map[string]interface {}{"name":"a"}'],
      },
    ],
  },
  'servicemonitors.monitoring.coreos.com/v1': {
    spec: { selector: { matchLabels: { app: 'a' } }, endpoints: [{ port: 'metrics' }] },
    refused: [{ how: 'create', change: { spec: { endpoints: null } }, says: ['spec.endpoints: Required value'] }],
  },
  'routes.route.openshift.io/v1': {
    spec: { to: { name: 'api' } },
    defaults: { to: { kind: 'Service', weight: 100 }, wildcardPolicy: 'None' },
    refused: [
      {
        how: 'create',
        change: { spec: { to: { weight: 257 } } },
        says: ['spec.to.weight: Invalid value: 257: spec.to.weight in body should be less than or equal to 256'],
      },
    ],
  },
}
