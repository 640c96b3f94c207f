import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedControlPlane } from '@windlass/api'
import { aCondition, aControlPlaneComponent, aHostedControlPlane } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import type { Component, Runner } from './component.ts'
import type { Facts } from './control-plane.ts'
import { dependenciesOf, unavailableOf } from './dependencies.ts'
import { componentsOf, etcdShard, registry } from './registry.ts'
import { deployment } from './rows.ts'
import { registryOf } from './registry-of.ts'
import { anyControlPlane, anyFacts, doneAt, noFacts } from './testing/index.ts'

const hcp = aHostedControlPlane()
const unmanaged = aHostedControlPlane({
  spec: { etcd: { managementType: 'Unmanaged', unmanaged: { endpoint: 'https://etcd', tls: { clientSecret: { name: 'etcd' } } } } },
})

function named(name: string): Component {
  const component = registry.get(name)
  assert.ok(component, name)
  return component
}

describe('what a component waits for', () => {
  it('C06 a shard of etcd does not wait for kube-apiserver', () => {
    assert.deepEqual(dependenciesOf(etcdShard('events'), hcp, noFacts, registry), [])
  })

  it('C06 not even when its row does not say so', () => {
    assert.deepEqual(
      dependenciesOf(
        deployment('etcd-events', [], () => true),
        hcp,
        noFacts,
        registry,
      ),
      [],
    )
  })

  it('C07 a name that only begins like etcd waits for kube-apiserver', () => {
    assert.deepEqual(
      dependenciesOf(
        deployment('etcdctl', [], () => true),
        hcp,
        noFacts,
        registry,
      ),
      ['kube-apiserver'],
    )
  })

  it('C08 kube-apiserver does not wait for an etcd that somebody else runs', () => {
    assert.deepEqual(dependenciesOf(named('kube-apiserver'), hcp, noFacts, registry), ['etcd', 'featuregate-generator'])
    assert.deepEqual(dependenciesOf(named('kube-apiserver'), unmanaged, noFacts, registry), ['featuregate-generator'])
  })

  it('C09 a component that depends on itself does not wait for itself', () => {
    const self = deployment('self', ['self'], () => true)
    assert.deepEqual(dependenciesOf(self, hcp, noFacts, registryOf([...registry.components, self])), ['kube-apiserver'])
  })

  it('C10 the router does not wait for an ignition server that does not run', () => {
    const disabled = aHostedControlPlane({ metadata: { annotations: { 'hypershift.openshift.io/disable-ignition-server': '' } } })
    assert.deepEqual(dependenciesOf(named('router'), hcp, noFacts, registry), ['ignition-server'])
    assert.deepEqual(dependenciesOf(named('router'), disabled, noFacts, registry), [])
  })

  it('3.2 a dependency of which it cannot be told whether it runs is waited for', () => {
    const unsure = deployment('unsure', [], () => {
      throw new Error('cannot tell')
    })
    const waiting = deployment('waiting', ['unsure'], () => true, { isExempt: true })
    assert.deepEqual(dependenciesOf(waiting, hcp, noFacts, registryOf([unsure, waiting])), ['unsure'])
  })

  it('3.2 implicit and explicit dependencies come sorted', () => {
    assert.deepEqual(dependenciesOf(named('dns-operator'), hcp, noFacts, registry), ['kube-apiserver', 'openshift-apiserver'])
  })
})

describe('a dependency', () => {
  const wait = (...components: Parameters<typeof unavailableOf>[1]) => unavailableOf(['kube-apiserver'], components, '4.18.0')
  const conditions = (available: 'True' | 'False' | 'Unknown', complete: 'True' | 'False' | 'Unknown') => [
    aCondition('Available', available),
    aCondition('RolloutComplete', complete),
  ]

  it('C01 that is absent is not there', () => {
    assert.deepEqual(wait(), ['kube-apiserver'])
  })

  it('C02 that has rolled out another version is not there', () => {
    assert.deepEqual(wait(...doneAt('4.17.0', 'kube-apiserver')), ['kube-apiserver'])
  })

  it('C03 that is available and has rolled out this version is there', () => {
    assert.deepEqual(wait(...doneAt('4.18.0', 'kube-apiserver')), [])
  })

  it('C04 that is not available is not there, though it has rolled out', () => {
    const unavailable = aControlPlaneComponent({ status: { version: '4.18.0', conditions: conditions('False', 'True') } })
    assert.deepEqual(wait(unavailable), ['kube-apiserver'])
  })

  it('3.2 whose rollout is unknown is not there', () => {
    const unknown = aControlPlaneComponent({ status: { version: '4.18.0', conditions: conditions('True', 'Unknown') } })
    assert.deepEqual(wait(unknown), ['kube-apiserver'])
  })

  it('3.2 without a status is not there', () => {
    const { status: _, ...fresh } = aControlPlaneComponent()
    assert.deepEqual(wait(fresh), ['kube-apiserver'])
  })
})

const runners: readonly Runner[] = ['hosted-control-plane', 'hosted-cluster', 'karpenter-operator']

/** Those that run, and those of which it cannot be told. */
function split(hcp: HostedControlPlane, facts: Facts): { readonly enabled: readonly Component[]; readonly unsure: ReadonlySet<string> } {
  const enabled: Component[] = []
  const unsure = new Set<string>()
  for (const component of runners.flatMap((runner) => componentsOf(hcp, runner))) {
    try {
      if (component.isEnabled(hcp, facts)) enabled.push(component)
    } catch {
      unsure.add(component.name)
    }
  }
  return { enabled, unsure }
}

describe('all control planes', () => {
  it('every component that runs gets its turn once those it waits for are done: nobody waits for ever', () => {
    fc.assert(
      fc.property(anyControlPlane, anyFacts, (hcp, facts) => {
        const { enabled, unsure } = split(hcp, facts)
        const done = new Set<string>()
        let waiting = enabled
        while (waiting.length > 0) {
          const ready = waiting.filter((component) =>
            dependenciesOf(component, hcp, facts, registry).every((name) => done.has(name) || unsure.has(name)),
          )
          assert.notEqual(ready.length, 0, `these wait for ever: ${waiting.map(({ name }) => name).join(', ')}`)
          for (const { name } of ready) done.add(name)
          waiting = waiting.filter(({ name }) => !done.has(name))
        }
      }),
      { seed: 8, numRuns: 300 },
    )
  })

  it('a component waits only for components that run, and never for itself', () => {
    fc.assert(
      fc.property(anyControlPlane, anyFacts, (hcp, facts) => {
        const { enabled, unsure } = split(hcp, facts)
        const names = new Set(enabled.map(({ name }) => name))
        for (const component of enabled)
          for (const dependency of dependenciesOf(component, hcp, facts, registry)) {
            assert.ok(names.has(dependency) || unsure.has(dependency), `${component.name} waits for ${dependency}`)
            assert.notEqual(dependency, component.name)
          }
      }),
      { seed: 9, numRuns: 300 },
    )
  })
})
