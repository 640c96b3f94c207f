import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseMirrorSets } from './mirror-sets.ts'

const sets = `
apiVersion: config.openshift.io/v1
kind: ImageDigestMirrorSet
metadata: { name: releases }
spec:
  imageDigestMirrors:
    - source: example.com/ocp/release
      mirrors: [mirror.local/ocp/release]
      mirrorSourcePolicy: NeverContactSource
---
apiVersion: v1
kind: List
items:
  - kind: ImageTagMirrorSet
    spec: { imageTagMirrors: [{ source: example.com/ocp, mirrors: [mirror.local/ocp] }] }
  - kind: ImageContentSourcePolicy
    spec: { repositoryDigestMirrors: [{ source: other.example.com, mirrors: [mirror.local/other] }] }
`

describe('mirrors in a file', () => {
  it('are those of digests and those of tags, in order', () => {
    assert.deepEqual(parseMirrorSets(sets), {
      digests: [
        { source: 'example.com/ocp/release', mirrors: ['mirror.local/ocp/release'], mirrorSourcePolicy: 'NeverContactSource' },
        { source: 'other.example.com', mirrors: ['mirror.local/other'] },
      ],
      tags: [{ source: 'example.com/ocp', mirrors: ['mirror.local/ocp'] }],
    })
    assert.deepEqual(parseMirrorSets(''), { digests: [], tags: [] })
  })

  for (const [what, text, message] of [
    ['another kind', 'kind: ConfigMap', /^kind: "ConfigMap" tells nothing of mirrors: write ImageDigestMirrorSet, /],
    ['no list', 'kind: ImageTagMirrorSet\nspec: { imageTagMirrors: 7 }', /^spec\.imageTagMirrors: it must be a list$/],
    [
      'a mirror that is none',
      'kind: ImageTagMirrorSet\nspec: { imageTagMirrors: [{ source: a.com, mirrors: [{}] }] }',
      /^spec\.imageTagMirrors\[0\]\.mirrors: it must be a list of registries$/,
    ],
    [
      'a source that is none',
      'kind: ImageTagMirrorSet\nspec: { imageTagMirrors: [{ source: "https://a.com" }] }',
      /"https:\/\/a\.com" is no source/,
    ],
    ['no YAML', 'kind: [', /^document 1: /],
  ] as const) {
    it(`are refused for ${what}`, () => {
      assert.throws(() => parseMirrorSets(text), { name: 'InvalidMirrorError', message })
    })
  }
})
