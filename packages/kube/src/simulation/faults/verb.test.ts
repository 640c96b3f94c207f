import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TransportRequest } from '../../transport/transport.ts'
import { verbOf } from './verb.ts'

describe('the verb of a request', () => {
  for (const [request, verb] of [
    ['GET /api/v1/pods', 'list'],
    ['GET /api/v1/namespaces', 'list'],
    ['GET /api/v1/namespaces/a', 'get'],
    ['GET /api/v1/namespaces/a/pods?limit=500', 'list'],
    ['GET /api/v1/namespaces/a/pods/b', 'get'],
    ['GET /apis/apps/v1/deployments', 'list'],
    ['GET /apis/apps/v1/namespaces/a/deployments', 'list'],
    ['GET /apis/apps/v1/namespaces/a/deployments/b/scale', 'get'],
    ['GET /clusters/one/apis/apps/v1/deployments', 'list'],
    ['GET /clusters/one/api/v1/namespaces/a/pods/b', 'get'],
    ['GET /api/v1/pods?watch=true&allowWatchBookmarks=true', 'watch'],
    ['GET /api/v1/pods?limit=1&watch=1', 'watch'],
    ['GET /version', 'get'],
    ['GET /apis', 'get'],
    ['POST /api/v1/namespaces/a/pods', 'create'],
    ['PUT /api/v1/namespaces/a/pods/b', 'update'],
    ['PATCH /api/v1/namespaces/a/pods/b/status', 'patch'],
    ['DELETE /api/v1/namespaces/a/pods/b', 'delete'],
  ] satisfies [string, string][]) {
    it(`of ${request} is ${verb}`, () => {
      const [method, path = ''] = request.split(' ')
      assert.equal(verbOf({ method: method as TransportRequest['method'], path }), verb)
    })
  }
})
