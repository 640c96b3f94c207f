import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleCatalogue } from './load.ts'
import { updateGraph } from './update-graph.ts'

const sample = sampleCatalogue()

/** `4.20.0 -> 4.20.1` */
function edgesOf(channel: string, architecture?: string): ReadonlySet<string> {
  const { nodes, edges } = updateGraph(sample, { channel, ...(architecture === undefined ? {} : { architecture }) })
  return new Set(edges.map(([from, to]) => `${nodes[from]?.version} -> ${nodes[to]?.version}`))
}

describe('the update graph of a channel', () => {
  it('has its minor, and what leads into it', () => {
    const edges = edgesOf('stable-4.20')
    assert.ok(edges.has('4.20.0 -> 4.20.1'))
    assert.ok(edges.has('4.19.7 -> 4.20.0'))
    assert.ok(!edges.has('4.19.8 -> 4.20.0'))
    const { nodes } = updateGraph(sample, { channel: 'stable-4.20' })
    assert.ok(nodes.every(({ version }) => /^4\.(19|20)\./.test(version)))
  })

  it('names payloads by digest', () => {
    const [node] = updateGraph(sample, { channel: 'stable-4.20', architecture: 'multi' }).nodes
    assert.match(node?.payload ?? '', /^example\.com\/ocp\/release@sha256:[0-9a-f]{64}$/)
    assert.match(node?.metadata['io.openshift.upgrades.graph.release.channels'] ?? '', /stable-4\.20/)
  })

  it('has candidates for the curious only', () => {
    const versions = (channel: string): readonly string[] => updateGraph(sample, { channel }).nodes.map(({ version }) => version)
    assert.ok(versions('candidate-4.21').includes('4.21.0-rc.0'))
    assert.ok(!versions('stable-4.21').includes('4.21.0-rc.0'))
  })

  it('has updates with a risk apart from the others', () => {
    const { conditionalEdges } = updateGraph(sample, { channel: 'stable-4.21' })
    assert.deepEqual(
      conditionalEdges.flatMap(({ edges }) => edges.map(({ from, to }) => `${from} -> ${to}`)),
      ['4.20.6 -> 4.21.1', '4.20.7 -> 4.21.1', '4.21.0 -> 4.21.1'],
    )
    assert.deepEqual(conditionalEdges[0]?.risks[0]?.matchingRules, [{ type: 'Always' }])
    assert.ok(!edgesOf('stable-4.21').has('4.21.0 -> 4.21.1'))
    assert.deepEqual(updateGraph(sample, { channel: 'stable-4.19' }).conditionalEdges, [])
  })

  it('is empty for a channel or an architecture that nobody has', () => {
    const empty = { nodes: [], edges: [], conditionalEdges: [] }
    assert.deepEqual(updateGraph(sample, { channel: 'stable-4.99' }), empty)
    assert.deepEqual(updateGraph(sample, { channel: 'stable-4.20', architecture: 's390x' }), empty)
  })
})
