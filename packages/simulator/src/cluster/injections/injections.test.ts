import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aClusterOperator } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { failureAnnotation } from '../../failures/index.ts'
import { injected, injectionsOf, slowness, withoutInjection } from './index.ts'

const operator = (text: string) => aClusterOperator({ metadata: { name: 'etcd', annotations: { [failureAnnotation]: text } } })
const parsed = (text: string) => injectionsOf('ClusterOperator', operator(text))

describe('what is asked to go wrong', () => {
  it('is a mode, with a time, a reason or a factor, and more of the same', () => {
    assert.deepEqual(parsed('degraded for=41m reason=EtcdMembers; slow factor=3'), {
      injections: [
        { mode: 'degraded', text: 'degraded for=41m reason=EtcdMembers', for: 41 * 60_000, reason: 'EtcdMembers' },
        { mode: 'slow', text: 'slow factor=3', factor: 3 },
      ],
      problems: [],
    })
    assert.equal(slowness(parsed('slow; slow factor=2').injections), 20)
  })

  it('is nothing, usually', () => assert.deepEqual(injectionsOf('ClusterOperator', aClusterOperator()), { injections: [], problems: [] }))

  it('depends on the kind', () => {
    const { problems } = parsed('drain-blocked')
    assert.deepEqual(problems, [
      '"drain-blocked" is nothing that can go wrong with a ClusterOperator: choose from unavailable, degraded, stuck, slow, silent, not-upgradeable',
    ])
  })

  it('that cannot be read is told, and the rest counts', () => {
    const { injections, problems } = parsed('stuck for=5m; degraded for=ever; unavailable reason=two-words; silent')
    assert.deepEqual(
      injections.map(({ mode }) => mode),
      ['silent'],
    )
    assert.equal(problems[0], '"for=5m" of stuck cannot be understood: write reason=<Word>, without spaces')
    assert.equal(
      problems[1],
      '"for=ever" of degraded cannot be understood: write for=<duration>, as in 41m, or reason=<Word>, without spaces',
    )
    assert.equal(problems.length, 3)
  })

  it('is taken away by itself, without the others', () => {
    const both = operator('degraded for=41m; stuck')
    const { injections } = injectionsOf('ClusterOperator', both)
    assert.deepEqual(withoutInjection(both, injected(injections, 'degraded') ?? assert.fail()), { [failureAnnotation]: 'stuck' })
    const one = operator('degraded for=41m')
    assert.deepEqual(withoutInjection(one, injected(injections, 'degraded') ?? assert.fail()), { [failureAnnotation]: null })
  })

  it('never breaks on anything that people write', () => {
    fc.assert(fc.property(fc.string(), (text) => void parsed(text)))
  })
})
