import type { Request } from './request.ts'
import { name, namespace } from './subjects.ts'

const applied: Request['query'] = [
  ['fieldManager', 'm'],
  ['force', 'true'],
]

function apply(path: string, body: string): Request {
  return { method: 'PATCH', path, query: applied, headers: { 'content-type': 'application/apply-patch+yaml' }, body: Buffer.from(body) }
}

/** Requests that some seed once found to be answered wrongly: kept, so that no other seed has to find them again. */
export const found: readonly (readonly [string, Request])[] = [
  [
    'an apply of bytes that are no base64',
    apply(`/api/v1/namespaces/${namespace}/configmaps/${name}`, `{"apiVersion":"v1","kind":"ConfigMap","binaryData":{"more":"a=b"}}`),
  ],
  [
    'an apply of half a replica',
    apply(
      `/apis/apps/v1/namespaces/${namespace}/replicasets/${name}/status`,
      `{"apiVersion":"apps/v1","kind":"ReplicaSet","status":{"replicas":1.5}}`,
    ),
  ],
  [
    'an apply of a time that is none',
    apply(
      `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`,
      `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","spec":{"renewTime":"a/b/c"}}`,
    ),
  ],
  [
    'an apply of more replicas than a number holds',
    apply(
      `/apis/fuzz.windlass.dev/v1/namespaces/${namespace}/widgets/${name}/scale`,
      `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"${name}","namespace":"${namespace}"},"spec":{"replicas":9007199254740993}}`,
    ),
  ],
]
