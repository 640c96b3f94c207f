import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Action } from '@windlass/kube'
import { aHostedControlPlane } from '@windlass/api/fixtures'
import type { Component } from './component.ts'
import { reconcileComponents } from './loop.ts'
import type { Observed } from './observed.ts'
import { registryOf } from './registry-of.ts'
import { componentsOf } from './registry.ts'
import { deployment } from './rows.ts'
import { aControlPlaneOn, annotated, anObservation, aRelease, created, describeAction, doneAt, noon } from './testing/index.ts'

const components = ['a', 'b', 'c'].map((name) => deployment(name, [], () => true, { isExempt: true, images: 'cli' }))
const registry = registryOf(components)

/** Carries out everything, and remembers it; fails where told. */
function hands(fails: (action: Action) => boolean = () => false) {
  const done: string[] = []
  return {
    done,
    act: (action: Action) => {
      if (fails(action)) return Promise.reject(new Error('the server said no'))
      done.push(describeAction(action))
      return Promise.resolve(created([action])[0])
    },
    sign: ({ secret }: { readonly secret: string }) => {
      done.push(`sign ${secret}`)
      return Promise.resolve()
    },
  }
}

const pass = (observed: Observed, doing: ReturnType<typeof hands>, rows: readonly Component[] = components) =>
  reconcileComponents(
    rows,
    () => observed,
    doing,
    () => noon,
  )

describe('a pass over all components', () => {
  it('C27 goes on when one fails, says so on its status, and ends with all errors', async () => {
    const doing = hands((action) => action.do === 'create' && action.kind.kind === 'Deployment' && action.object.metadata.name === 'a')
    const { error, expected } = await pass(anObservation({ registry }), doing)
    assert.deepEqual(doing.done, [
      'create ServiceAccount a',
      'create ControlPlaneComponent a',
      'status ControlPlaneComponent a',
      ...['b', 'c'].flatMap((name) => [
        `create ServiceAccount ${name}`,
        `create Deployment ${name}`,
        `create ControlPlaneComponent ${name}`,
        `status ControlPlaneComponent ${name}`,
      ]),
    ])
    assert.equal(error?.message, '1 of 3 components failed: component a: the server said no')
    assert.deepEqual(expected, ['a', 'b', 'c'])
  })

  it('C27 names every component that failed', async () => {
    const { error } = await pass(
      anObservation({ registry }),
      hands((action) => action.do === 'create' && action.kind.kind === 'ServiceAccount'),
    )
    assert.equal(error?.errors.length, 3)
    assert.match(error.message, /^3 of 3 components failed: component a: .*; component b: .*; component c: /)
  })

  it('does not lose an error of a component when its status cannot be written either', async () => {
    const { error } = await pass(
      anObservation({ registry }),
      hands(() => true),
    )
    assert.equal(error?.errors.length, 6)
  })

  it('says what waits, what is expected and which images are missing', async () => {
    const hcp = aHostedControlPlane()
    const observed = anObservation({ hcp, release: aRelease('4.19.6', ['etcd']) })
    const { waiting, expected, missingImages, error } = await pass(observed, hands(), componentsOf(hcp, 'hosted-control-plane'))
    assert.equal(error, undefined)
    assert.deepEqual(missingImages, ['etcd'])
    assert.equal(expected.length, 33)
    assert.ok(expected.includes('kube-apiserver') && !expected.includes('aws-cloud-controller-manager'))
    assert.deepEqual(
      waiting.find(({ component }) => component === 'kube-apiserver'),
      { component: 'kube-apiserver', unavailable: ['etcd', 'featuregate-generator'] },
    )
  })

  it('misses no image when the payload has all that are asked for', async () => {
    for (const platform of ['AWS', 'Azure', 'KubeVirt', 'PowerVS', 'GCP', 'OpenStack'])
      for (const runner of ['hosted-control-plane', 'hosted-cluster'] as const) {
        const hcp = aControlPlaneOn(platform)
        const all = componentsOf(hcp, runner)
        const observed = anObservation({ hcp, components: doneAt('4.19.6', ...all.map(({ name }) => name)) })
        assert.deepEqual((await pass(observed, hands(), all)).missingImages, [], platform)
      }
  })

  it('expects components of which it cannot be told: what is not known is not complete', async () => {
    const unsure = deployment('unsure', [], () => {
      throw new Error('cannot tell')
    })
    const { expected, error } = await pass(anObservation({ registry: registryOf([unsure]) }), hands(), [unsure])
    assert.deepEqual(expected, ['unsure'])
    assert.match(error?.message ?? '', /cannot tell/)
  })

  it('signs kubeconfigs after the manifests and before the workload', async () => {
    const hcp = aHostedControlPlane()
    const observed = anObservation({ hcp, components: doneAt('4.19.6', 'kube-apiserver', 'openshift-apiserver') })
    const doing = hands()
    const rows = componentsOf(hcp, 'hosted-control-plane').filter(({ name }) => name === 'dns-operator')
    await pass(observed, doing, rows)
    assert.deepEqual(doing.done.slice(0, 3), [
      'create ServiceAccount dns-operator',
      'sign dns-operator-service-account-kubeconfig',
      'create Deployment dns-operator',
    ])
  })

  it('sees for each component the world as it is by then', async () => {
    const rows = [
      deployment('first', [], () => true, { isExempt: true, images: 'cli' }),
      deployment('second', ['first'], () => true, { isExempt: true, images: 'cli' }),
    ]
    const worlds = [[], doneAt('4.19.6', 'first')].map((seen) => anObservation({ registry: registryOf(rows), components: seen }))
    const { waiting } = await reconcileComponents(
      rows,
      () => worlds.shift() ?? assert.fail(),
      hands(),
      () => noon,
    )
    assert.deepEqual(waiting, [])
  })

  it('removes what does not run here, and expects nothing of it', async () => {
    const hcp = aControlPlaneOn('KubeVirt', annotated('disable-ignition-server'))
    const doing = hands()
    const rows = componentsOf(hcp, 'hosted-control-plane').filter(({ name }) => name === 'ignition-server')
    const { expected } = await pass(anObservation({ hcp, components: doneAt('4.19.6', 'ignition-server') }), doing, rows)
    assert.deepEqual(expected, [])
    assert.deepEqual(doing.done, ['delete ControlPlaneComponent ignition-server'])
  })
})
