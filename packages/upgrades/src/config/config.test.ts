import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { globToRegExp } from './glob.ts'
import {
  checkConfig,
  compilePattern,
  ConfigError,
  type ConfigUser,
  defaultConfig,
  isEnabled,
  keys,
  managerConfig,
  matchesAnyGlob,
  readConfig,
  scaleProblem,
} from './index.ts'

const read = (yaml: string) => readConfig({ data: { 'config.yaml': yaml } })
const checked = (yaml: string, user: ConfigUser = 'upgrader') => checkConfig(read(yaml), user)

describe('the configuration', () => {
  it('C03 names its ConfigMap when it is no YAML', () => {
    assert.throws(() => read('{'), /managed-upgrade-operator-config/)
    assert.throws(() => read('- a'), /managed-upgrade-operator-config.*expected a map/)
  })

  it('C04 refuses time outs that make no sense', () => {
    assert.throws(() => checked('scale: {timeOut: 0}'), /scale timeOut/)
    assert.throws(() => checked('upgradeWindow: {timeOut: -5}'), /upgrade window time out/)
    assert.equal(checked('upgradeWindow: {timeOut: 0, delayTrigger: 0}')['upgradeWindow.timeOut'], 0)
  })

  for (const [yaml, error] of [
    ['maintenance: {controlPlaneTime: 0}', /maintenance controlPlaneTime/],
    ['upgradeWindow: {delayTrigger: -1}', /upgrade window delay trigger/],
    ['nodeDrain: {timeOut: 0}', /nodeDrain timeOut/],
    ['nodeDrain: {expectedNodeDrainTime: 0}', /nodeDrain expectedNodeDrainTime/],
  ] satisfies [string, RegExp][]) {
    it(`C04 refuses ${yaml}`, () => assert.throws(() => checked(yaml), error))
  }

  it('C04 lets the node keeper alone go without a drain time out', () => {
    assert.equal(checked('nodeDrain: {timeOut: 0}', 'node keeper')['nodeDrain.timeOut'], 0)
    assert.throws(() => checked('nodeDrain: {timeOut: -1}', 'node keeper'), /nodeDrain timeOut/)
    assert.doesNotThrow(() => checked('scale: {timeOut: 0}', 'node keeper'))
  })

  it('C05 quotes a malformed glob', () => {
    assert.throws(() => checked('scale: {extraMachinePools: ["[a-"]}'), /extraMachinePools.*"\[a-"/)
    assert.match(scaleProblem(read('scale: {extraMachinePools: ["[a-"]}')) ?? '', /\[a-/)
  })

  it('C06 Δ18 refuses HTTP timeouts out of range', () => {
    assert.throws(() => checked('extDependencyAvailabilityChecks: {http: {timeout: 61}}'), /HTTP timeout is invalid/)
    assert.throws(() => checked('extDependencyAvailabilityChecks: {http: {urls: [u], timeout: 0}}'), /HTTP timeout is invalid/)
    assert.doesNotThrow(() => checked('extDependencyAvailabilityChecks: {http: {timeout: 0}}'))
  })

  it('C07 Δ01 applies the defaults to an empty document, and leaves the manager idle', () => {
    for (const config of [readConfig({}), read(''), read('scale:\nnodeDrain: {}')]) {
      assert.deepEqual(config, defaultConfig)
      assert.equal(managerConfig(config).is, 'idle')
    }
    const { minute, ...values } = defaultConfig
    assert.equal(minute, 60_000)
    assert.deepEqual(values, {
      upgradeType: '',
      'configManager.source': undefined,
      'configManager.ocmBaseUrl': '',
      'configManager.localConfigName': undefined,
      'configManager.watchInterval': undefined,
      'validation.cincinnati': false,
      'environment.fedramp': false,
      'maintenance.controlPlaneTime': 90,
      'maintenance.ignoredAlerts.controlPlaneCriticals': [],
      'scale.timeOut': 30,
      'scale.extraMachinePools': [],
      'upgradeWindow.timeOut': 120,
      'upgradeWindow.delayTrigger': 30,
      'nodeDrain.timeOut': 45,
      'nodeDrain.expectedNodeDrainTime': 8,
      'nodeDrain.disableDrainStrategies': false,
      'nodeDrain.ignoredNamespacePatterns': [],
      'healthCheck.ignoredCriticals': [],
      'healthCheck.ignoredNamespaces': [],
      'extDependencyAvailabilityChecks.http.timeout': 15,
      'extDependencyAvailabilityChecks.http.urls': [],
      'featureGate.enabled': [],
    })
  })

  it('C08 Δ29 names a pattern that does not compile', () => {
    assert.throws(() => checked('nodeDrain: {ignoredNamespacePatterns: ["ok", "("]}', 'node keeper'), /"\("/)
  })

  it('C09 knows its sources in any case, and no others', () => {
    const yaml = (source: string) => `configManager: {source: ${source}, watchInterval: 60, localConfigName: managed-upgrade-config}`
    assert.deepEqual(managerConfig(read(yaml('ocm'))), { is: 'active', source: 'OCM', watchInterval: 3_600_000 })
    assert.deepEqual(managerConfig(read(yaml('LOCAL'))), { is: 'active', source: 'LOCAL', watchInterval: 3_600_000 })
    assert.throws(() => managerConfig(read(yaml('GIT'))), /invalid configManager spec provider type/)
  })

  it('refuses what the manager cannot use', () => {
    assert.throws(() => checked('upgradeType: osd', 'manager'), /invalid configManager spec provider type/)
    assert.throws(() => checked('configManager: {ocmBaseUrl: "not a url"}', 'manager'), /OCM Base URL is not a parseable URL/)
    assert.throws(() => checked('configManager: {source: LOCAL, localConfigName: other}', 'manager'), /managed-upgrade-config/)
    const idle = managerConfig(read('configManager: {source: OCM, watchInterval: 0}'))
    assert.match(idle.is === 'idle' ? idle.why : '', /no configManager defined/)
  })

  it('names the key of a value of another type', () => {
    assert.throws(() => read('scale: {timeOut: "30"}'), { name: 'ConfigError', key: 'scale.timeOut' })
    assert.throws(() => read('scale: [1]'), { name: 'ConfigError', key: 'scale' })
    assert.throws(() => read('featureGate: {enabled: [1]}'), ConfigError)
  })

  it('ignores what it does not know, and reads the flags of YAML 1.1', () => {
    const config = read('verification: {a: {b: 1}}\nenvironment: {fedramp: yes, other: 1}')
    assert.equal(config['environment.fedramp'], true)
  })

  it('keeps every explicit value', () => {
    const minutes = fc.integer({ min: -100, max: 10_000 })
    fc.assert(
      fc.property(minutes, fc.array(fc.string()), (value, list) => {
        const document = { scale: { timeOut: value, extraMachinePools: list }, nodeDrain: { timeOut: value } }
        // JSON is YAML too.
        const config = readConfig({ data: { 'config.yaml': JSON.stringify(document) } })
        assert.deepEqual([config['scale.timeOut'], config['nodeDrain.timeOut'], config['scale.extraMachinePools']], [value, value, list])
      }),
    )
  })

  it('has gates that are compared to the letter', () => {
    const config = read('featureGate: {enabled: [prehealthcheck, ServiceLogNotification, Other]}')
    assert.ok(!isEnabled(config, 'PreHealthCheck'))
    assert.ok(isEnabled(config, 'ServiceLogNotification'))
  })

  it('has a key for each row of its table', () => assert.equal(Object.keys(keys).length, 22))
})

describe('globs', () => {
  for (const [pattern, text, isMatch] of [
    ['non-serving-*', 'non-serving-1', true],
    ['non-serving-*', 'xnon-serving-1', false],
    ['*', 'a/b', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['[a-c]x', 'bx', true],
    ['[^a-c]x', 'bx', false],
    ['[^a]x', 'bx', true],
    [String.raw`a\*`, 'a*', true],
    [String.raw`a\*`, 'ab', false],
    ['a.b', 'axb', false],
    ['{a,b}', 'a', false],
    ['**', 'ab', true],
  ] satisfies [string, string, boolean][]) {
    it(`${pattern} ${isMatch ? 'matches' : 'does not match'} ${text}`, () => assert.equal(matchesAnyGlob([pattern], text), isMatch))
  }

  for (const pattern of ['[a-', '[', '[]', '[^]', 'a[', 'a\\', '[b-a]', '[-a]', '[a-]']) {
    it(`${pattern} is malformed`, () => assert.equal(globToRegExp(pattern), undefined))
  }

  it('without special characters match themselves and nothing else', () => {
    const plain = fc.stringMatching(/^[a-z0-9.()+|^$ -]*$/)
    fc.assert(fc.property(plain, plain, (a, b) => assert.equal(matchesAnyGlob([a], b), a === b)))
  })
})

describe('patterns of namespaces', () => {
  it('match anywhere, and take flags in front', () => {
    assert.equal(compilePattern('^openshift-')?.('openshift-etcd'), true)
    assert.equal(compilePattern('shift')?.('openshift-etcd'), true)
    assert.equal(compilePattern('(?i)OPENSHIFT')?.('openshift-etcd'), true)
    assert.equal(compilePattern('^a$')?.('ab'), false)
  })
})
