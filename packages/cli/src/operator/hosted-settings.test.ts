import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostedSettings } from './hosted-settings.ts'

describe('settings of hosted clusters', () => {
  it('are the usual ones when nobody says anything', () => {
    assert.deepEqual(hostedSettings({}, {}), {
      management: { aws: { region: undefined, hasCredentials: false }, enforcesSequentialMinors: false },
      nodePools: { mode: 'Manage' },
    })
  })

  it('1.8 4.6 come from the command line and from the environment that HyperShift has', () => {
    const env = {
      AWS_REGION: 'eu-west-1',
      AWS_SHARED_CREDENTIALS_FILE: '/aws/credentials',
      OPERATE_ON_RELEASE_IMAGE: 'example.com/r:4.20.1',
    }
    const flags = { enforceSequentialMinor: true, skewPolicy: 'fixed:3', skewSource: 'ClusterVersion' } as const
    assert.deepEqual(hostedSettings(flags, env), {
      management: { aws: { region: 'eu-west-1', hasCredentials: true }, enforcesSequentialMinors: true },
      nodePools: { mode: 'Manage', policy: 'fixed:3', source: 'ClusterVersion' },
      onlyRelease: 'example.com/r:4.20.1',
    })
  })

  it('leave pools to another operator when all is only observed, or they are', () => {
    assert.equal(hostedSettings({ observe: true }, {}).nodePools.mode, 'Observe')
    assert.equal(hostedSettings({ nodePools: 'observe' }, {}).nodePools.mode, 'Observe')
  })

  it('1.9 have a scope only where scopes count; the empty one is one', () => {
    const scope = (env: Readonly<Record<string, string>>) => hostedSettings({}, env).scope
    const enabled = { ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING: 'true' }
    assert.equal(scope({ HOSTEDCLUSTERS_SCOPE_ANNOTATION: 'blue' }), undefined)
    assert.equal(scope({ ...enabled, HOSTEDCLUSTERS_SCOPE_ANNOTATION: 'blue' }), 'blue')
    assert.equal(scope(enabled), '')
  })
})
