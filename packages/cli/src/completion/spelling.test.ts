import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { spelled } from './spelling.ts'

describe('names that are offered', () => {
  const at = (id: string) => {
    const [member = '', namespace = '', name = ''] = id.split('/')
    return name === '' ? { member } : { member, namespace, name }
  }
  const places = ['east/clusters/prod', 'west/clusters/prod', 'east/clusters/twin', 'east/lab/twin', 'east/clusters/only', 'classic'].map(
    at,
  )

  it('are as short as they can be told apart, and a classic cluster is its member', () => {
    assert.deepEqual(spelled(places, ''), ['classic', 'clusters/twin', 'east/clusters/prod', 'lab/twin', 'only', 'west/clusters/prod'])
  })

  it('are long for who has begun with a member or a namespace', () => {
    assert.deepEqual(spelled(places, 'east/c'), ['east/clusters/only', 'east/clusters/prod', 'east/clusters/twin'])
    assert.deepEqual(spelled(places, 'lab/'), ['lab/twin'])
    assert.deepEqual(spelled(places, '/tmp/kubeconfig'), spelled(places, ''), 'the last word may be another one')
  })
})
