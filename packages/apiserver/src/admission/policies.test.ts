import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { aConfigMap, aNamespace, aWidget, startTestServer, type TestServer, urls, userNamed } from '../testing/index.ts'

const group = '/apis/admissionregistration.k8s.io/v1'
const apiVersion = 'admissionregistration.k8s.io/v1'

const aboutWidgets = {
  resourceRules: [{ apiGroups: ['test.windlass.dev'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['widgets'] }],
}

/** A policy about widgets that is in force. */
async function enforce(server: TestServer, spec: JsonObject, binding: JsonObject = {}): Promise<void> {
  await server.create(`${group}/validatingadmissionpolicies`, {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'policy' },
    spec: { matchConstraints: aboutWidgets, ...spec },
  })
  await server.create(`${group}/validatingadmissionpolicybindings`, {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'binding' },
    spec: { policyName: 'policy', validationActions: ['Deny'], ...binding },
  })
}

const few: JsonObject = { validations: [{ expression: 'object.spec.replicas <= 5', message: 'too many' }] }
const where = "ValidatingAdmissionPolicy 'policy' with binding 'binding'"

test('S6 a write that breaks a policy is refused with its words', async () => {
  await using server = await startTestServer()
  await enforce(server, few)
  await server.create(urls.widgets(), aWidget('few', { replicas: 5 }))
  const status = await server.refused('POST', urls.widgets(), aWidget('many', { replicas: 6 }))
  assert.equal(status.code, 422)
  assert.equal(status.reason, 'Invalid')
  assert.equal(status.message, `widgets.test.windlass.dev "many" is forbidden: ${where} denied request: too many`)
  assert.equal((await server.refused('PATCH', urls.widget('few'), { spec: { replicas: 9 } })).code, 422)
})

test('S6 a policy without a binding does nothing', async () => {
  await using server = await startTestServer()
  await enforce(server, few)
  await server.remove(`${group}/validatingadmissionpolicybindings/binding`)
  await server.create(urls.widgets(), aWidget('many', { replicas: 6 }))
})

test('S6 other resources, operations and subresources are not touched', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('many', { replicas: 6 }))
  await enforce(server, few)
  await server.create(urls.configMaps(), aConfigMap('a'))
  await server.merge(`${urls.widget('many')}/status`, { status: { phase: 'Done' } })
  await server.remove(urls.widget('many'))
})

test('S6 X8 a dry run is judged too', async () => {
  await using server = await startTestServer()
  await enforce(server, few)
  assert.equal((await server.refused('POST', `${urls.widgets()}?dryRun=All`, aWidget('many', { replicas: 6 }))).code, 422)
})

test('S6 a messageExpression and a reason shape the refusal', async () => {
  await using server = await startTestServer()
  const validation = {
    expression: 'object.spec.replicas <= 5',
    messageExpression: "'at most 5, not ' + string(object.spec.replicas)",
    reason: 'Forbidden',
  }
  await enforce(server, { validations: [validation] })
  const status = await server.refused('POST', urls.widgets(), aWidget('many', { replicas: 6 }))
  assert.equal(status.code, 403)
  assert.equal(status.reason, 'Forbidden')
  assert.match(status.message, /denied request: at most 5, not 6$/)
})

test('S6 an update is judged with the old object at hand', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', { replicas: 3 }))
  await enforce(server, {
    validations: [{ expression: 'oldObject == null || object.spec.replicas >= oldObject.spec.replicas', message: 'only up' }],
  })
  await server.merge(urls.widget('a'), { spec: { replicas: 4 } })
  assert.match((await server.refused('PATCH', urls.widget('a'), { spec: { replicas: 2 } })).message, /only up$/)
})

test('S6 Warn lets the write pass and warns', async () => {
  await using server = await startTestServer()
  await enforce(server, few, { validationActions: ['Warn'] })
  const answer = await server.send('POST', urls.widgets(), aWidget('many', { replicas: 6 }))
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.headers['warning'], [`299 - "Validation failed for ${where}: too many"`])
})

test('S6 match conditions and variables', async () => {
  await using server = await startTestServer()
  await enforce(server, {
    variables: [{ name: 'wanted', expression: 'object.spec.replicas' }],
    matchConditions: [{ name: 'not-exempt', expression: "!has(object.metadata.labels) || !('exempt' in object.metadata.labels)" }],
    validations: [{ expression: 'variables.wanted <= 5', message: 'too many' }],
  })
  await server.create(urls.widgets(), aWidget('exempt', { replicas: 6 }, { labels: { exempt: '1' } }))
  assert.equal((await server.refused('POST', urls.widgets(), aWidget('many', { replicas: 6 }))).code, 422)
})

test('S6 a binding picks namespaces by their labels', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('strict', { labels: { strict: 'yes' } }))
  await enforce(server, few, { matchResources: { namespaceSelector: { matchLabels: { strict: 'yes' } } } })
  await server.create(urls.widgets(), aWidget('many', { replicas: 6 }))
  assert.equal((await server.refused('POST', urls.widgets('strict'), aWidget('many', { replicas: 6 }))).code, 422)
})

test('S6 parameters come from the object that the binding names', async () => {
  await using server = await startTestServer()
  await server.create(urls.configMaps(), aConfigMap('limits', { most: '2' }))
  await enforce(
    server,
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'object.spec.replicas <= int(params.data.most)', message: 'too many' }],
    },
    { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } },
  )
  await server.create(urls.widgets(), aWidget('few', { replicas: 2 }))
  assert.equal((await server.refused('POST', urls.widgets(), aWidget('many', { replicas: 3 }))).code, 422)
  await server.merge(urls.configMap('limits'), { data: { most: '9' } })
  await server.create(urls.widgets(), aWidget('many', { replicas: 3 }))
})

test('S6 a policy knows who asks', async () => {
  await using server = await startTestServer()
  await enforce(server, { validations: [{ expression: "request.userInfo.username != 'bob'", message: 'not bob' }] })
  await server.create(urls.widgets(), aWidget('a'))
  const bob = server.as(userNamed('bob', 'system:masters'))
  assert.match((await bob.refused('POST', urls.widgets(), aWidget('b'))).message, /not bob$/)
})

test('S6 an expression that fails is a refusal, unless the policy ignores failures', async () => {
  await using server = await startTestServer()
  const broken = { validations: [{ expression: "object.spec.missing == 'x'" }] }
  await enforce(server, broken)
  assert.match((await server.refused('POST', urls.widgets(), aWidget('a'))).message, /expression .*resulted in error/)
  await server.merge(`${group}/validatingadmissionpolicies/policy`, { spec: { failurePolicy: 'Ignore' } })
  await server.create(urls.widgets(), aWidget('a'))
})

test('S6 a policy can be changed, and holds for the next request', async () => {
  await using server = await startTestServer()
  await enforce(server, few)
  await server.merge(`${group}/validatingadmissionpolicies/policy`, {
    spec: { validations: [{ expression: 'object.spec.replicas <= 50', message: 'far too many' }] },
  })
  await server.create(urls.widgets(), aWidget('many', { replicas: 6 }))
})

test('S6 policies cannot lock out those who would change them', async () => {
  await using server = await startTestServer()
  const everything = { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }] }
  await enforce(server, { matchConstraints: everything, validations: [{ expression: 'false', message: 'never' }] })
  assert.equal((await server.refused('POST', urls.configMaps(), aConfigMap('a'))).code, 422)
  await server.remove(`${group}/validatingadmissionpolicybindings/binding`)
  await server.create(urls.configMaps(), aConfigMap('a'))
})
