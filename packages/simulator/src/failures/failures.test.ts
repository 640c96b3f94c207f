import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aNamespace, aPod } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { concerns } from './failure.ts'
import { failing, failureAnnotation, failureModes, failuresOf, parseFailures, slowness } from './index.ts'

describe('failures in an annotation', () => {
  it('are a mode, what it is limited to, and more of the same', () => {
    assert.deepEqual(parseFailures('crash-loop'), { failures: [{ mode: 'crash-loop' }], problems: [] })
    assert.deepEqual(parseFailures(' image-pull image=sha256:abc ;\n slow name=etcd-* factor=2.5; crash-loop times=3;'), {
      failures: [
        { mode: 'image-pull', image: 'sha256:abc' },
        { mode: 'slow', name: 'etcd-*', factor: 2.5 },
        { mode: 'crash-loop', times: 3 },
      ],
      problems: [],
    })
  })

  it('are none when nothing is said', () => {
    for (const text of [undefined, '', ' ', ';;']) assert.deepEqual(parseFailures(text), { failures: [], problems: [] })
  })

  it('that cannot be read are told and left out, and the others count', () => {
    const { failures, problems } = parseFailures('explode; never-ready; slow factor=fast; crash-loop times=-1; image-pull image=')
    assert.deepEqual(failures, [{ mode: 'never-ready' }])
    assert.equal(problems.length, 4)
    assert.equal(problems[0], `"explode" is no failure that can be simulated: choose from ${failureModes.join(', ')}`)
    assert.match(problems[1] ?? '', /^"factor=fast" of slow cannot be understood: write name=<pattern>/)
  })

  it('never break on anything that people write', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseFailures(text)))
  })
})

describe('a failure concerns', () => {
  const subject = {
    namespace: 'clusters-prod',
    name: 'kube-apiserver-6d4-x7k2p',
    images: ['example.com/release:4.20.1', 'example.com/other'],
  }

  it('everybody unless it is limited', () => assert.ok(concerns({ mode: 'slow' }, subject)))

  it('names of a pattern', () => {
    for (const name of ['kube-apiserver-*', '*', '*x7k2p', 'kube-*-6d4-*', 'kube-apiserver-6d4-x7k2p', 'k*e*p'])
      assert.ok(concerns({ mode: 'slow', name }, subject), name)
    for (const name of ['kube-apiserver', 'kube-apiserver-*z', '*kube', 'kube-apiserver-6d4-x7k2p*p', 'k*z*p', ''])
      assert.ok(!concerns({ mode: 'slow', name }, subject), name)
  })

  it('images that have a text in them, and namespaces of a pattern', () => {
    assert.ok(concerns({ mode: 'slow', image: '4.20.1' }, subject))
    assert.ok(!concerns({ mode: 'slow', image: '4.20.2' }, subject))
    assert.ok(concerns({ mode: 'slow', namespace: 'clusters-*', image: '4.20.1' }, subject))
    assert.ok(!concerns({ mode: 'slow', namespace: 'openshift-*', image: '4.20.1' }, subject))
  })
})

describe('what goes wrong with an object', () => {
  const pod = aPod({ metadata: { annotations: { [failureAnnotation]: 'never-ready; bad' } } })
  const namespace = aNamespace({
    metadata: { name: 'clusters-prod', annotations: { [failureAnnotation]: 'slow; slow factor=3; image-pull image=other' } },
  })

  it('is what it says itself, what its namespace says, and what was planned, as far as it concerns it', () => {
    const { failures, problems } = failuresOf(pod, ['example.com/release:4.20.1'], {
      namespace,
      planned: [
        { mode: 'crash-loop', namespace: 'clusters-prod' },
        { mode: 'never-gone', name: 'etcd-*' },
      ],
    })
    assert.deepEqual(
      failures.map(({ mode }) => mode),
      ['never-ready', 'slow', 'slow', 'crash-loop'],
    )
    assert.equal(problems.length, 1)
    assert.equal(slowness(failures), 30)
    assert.deepEqual(failing(failures, 'never-ready'), { mode: 'never-ready' })
    assert.equal(failing(failures, 'image-pull'), undefined)
  })

  it('is nothing, usually', () => {
    assert.deepEqual(failuresOf(aPod(), [], { namespace: aNamespace(), planned: [] }), { failures: [], problems: [] })
    assert.equal(slowness([]), 1)
  })
})
