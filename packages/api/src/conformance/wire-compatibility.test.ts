import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crdName, toCrd } from '../crd.ts'
import type { Kind } from '../kind.ts'
import { allKinds } from '../kinds.ts'
import { differences } from './differences.ts'
import { noUpstream, upstreamOf } from './upstream.ts'

/** Where we differ from upstream on purpose, and why. A difference that is not here fails, and so does one that is gone. */
const deliberate: Readonly<Record<string, readonly string[]>> = {
  // Behind feature gates upstream; our controllers read and write them.
  'nodepools.hypershift.openshift.io': [
    '.spec.osImageStream: not upstream',
    '.spec: rule not upstream: osImageStream cannot be removed once set',
    '.spec: rule not upstream: osImageStream cannot go back from rhel-10 to rhel-9',
    '.status.osImageStream: not upstream',
  ],
  'hostedclusters.hypershift.openshift.io': ['.status.lastSuccessfulEtcdBackupURL: not upstream'],
  // Upstream's operator knows the phase and cannot store it; what others store is read.
  'upgradeconfigs.upgrade.managed.openshift.io': [
    '.status.history[].phase: enum is ["New","Pending","Upgrading","Upgraded","Failed","Unknown"], upstream ["New","Pending","Upgrading","Upgraded","Failed"]',
  ],
}

/** Kinds that no other project has, or whose CRD is not at hand. */
const withoutUpstream = [
  'machines.machine.openshift.io',
  'machinesets.machine.openshift.io',
  'logicalclusters.windlass.dev',
  'servicemonitors.monitoring.coreos.com',
  'prometheusrules.monitoring.coreos.com',
  'routes.route.openshift.io',
]

/** Upstream shows no columns of these; ours are an addition. */
const columnsAreOurs = (kind: Kind): boolean => kind.group === 'openshift.muller.dev'

describe('our CRDs and upstream agree', { skip: noUpstream }, () => {
  it('for every kind that upstream has', () => {
    assert.deepEqual(allKinds.filter((kind) => upstreamOf(kind) === undefined).map(crdName), withoutUpstream)
  })

  for (const kind of allKinds) {
    const upstream = noUpstream === false ? upstreamOf(kind) : undefined
    if (upstream === undefined) continue
    const ours = toCrd(kind)
    const version = ours.spec.versions[0]

    it(`${crdName(kind)}: names and scope`, () => {
      assert.deepEqual({ ...ours.spec.names }, upstream.crd.spec.names)
      assert.equal(ours.spec.scope, upstream.crd.spec.scope)
    })

    it(`${crdName(kind)}: subresources and columns`, () => {
      // `kubectl scale nodepool` is asked for by the specification; this upstream build leaves it out.
      const scale = kind.kind === 'NodePool' ? { scale: { ...kind.scale } } : {}
      const subresources = upstream.version.subresources === undefined ? undefined : { ...upstream.version.subresources, ...scale }
      assert.deepEqual(version?.subresources, subresources)
      if (!columnsAreOurs(kind)) assert.deepEqual(version?.additionalPrinterColumns, upstream.version.additionalPrinterColumns)
    })

    it(`${crdName(kind)}: schema`, () => {
      const found = differences(version?.schema.openAPIV3Schema ?? {}, upstream.version.schema.openAPIV3Schema)
      // No controller can do anything with an object without a spec, so ours are always required to have one.
      const unexpected = found.filter((difference) => difference !== '(root): required not upstream: spec')
      assert.deepEqual(unexpected.sort(), [...(deliberate[crdName(kind)] ?? [])].sort())
    })
  }
})
