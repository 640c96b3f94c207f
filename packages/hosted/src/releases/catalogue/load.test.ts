import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { InvalidCatalogueError } from './fields.ts'
import { loadCatalogue, parseCatalogue } from './load.ts'

const digest = `sha256:${'a'.repeat(64)}`
const head = 'apiVersion: windlass.dev/v1alpha1\nkind: ReleaseCatalogue\n'

function problemsOf(text: string): readonly string[] {
  try {
    parseCatalogue(text, 'releases.yaml')
  } catch (error) {
    assert.ok(error instanceof InvalidCatalogueError, String(error))
    return error.problems
  }
  return []
}

describe('a catalogue', () => {
  it('lists releases with names, digest, images and updates', () => {
    const { name, releases } = parseCatalogue(
      `${head}releases:
  - version: 4.20.1
    pullspecs: ['example.com/ocp/release:4.20.1', 'mirror.local/release:4.20.1']
    digest: ${digest}
    channels: [stable-4.20]
    previous: [4.20.0]
    url: https://example.com/notes
    images: { etcd: 'example.com/etcd:1' }
`,
      'releases.yaml',
    )
    assert.equal(name, 'releases.yaml')
    assert.deepEqual(releases, [
      {
        version: '4.20.1',
        architecture: 'amd64',
        pullspecs: ['example.com/ocp/release:4.20.1', 'mirror.local/release:4.20.1'],
        digest,
        channels: ['stable-4.20'],
        images: new Map([['etcd', 'example.com/etcd:1']]),
        metadata: { previous: ['4.20.0'], url: 'https://example.com/notes' },
      },
    ])
  })

  it('fills in what is common: names by the repository, images by the components', () => {
    const text = `${head}repository: example.com/ocp/release
componentRepository: example.com/ocp/content
components: [etcd, hyperkube]
releases:
  - version: 4.20.10
  - version: 4.20.9
    architecture: arm64
`
    const { releases } = parseCatalogue(text, 'releases.yaml')
    assert.deepEqual(
      releases.map(({ version, pullspecs, digest: own }) => [version, pullspecs, own]),
      [
        ['4.20.9', ['example.com/ocp/release:4.20.9-aarch64'], undefined],
        ['4.20.10', ['example.com/ocp/release:4.20.10-x86_64'], undefined],
      ],
    )
    assert.deepEqual([...(releases[0]?.images.keys() ?? [])], ['etcd', 'hyperkube'])
    assert.match(releases[0]?.images.get('etcd') ?? '', /^example\.com\/ocp\/content@sha256:[0-9a-f]{64}$/)
    assert.deepEqual(parseCatalogue(text, 'other.yaml').releases, releases)
  })

  it('takes 4.20 for what it is, not for a number', () => {
    const text = `${head}repository: example.com/r\ncomponentRepository: example.com/c\ncomponents: [a]\nstreams: [{ minor: 4.20, patches: 1 }]\n`
    assert.deepEqual(
      parseCatalogue(text, 'x').releases.map(({ version }) => version),
      ['4.20.0'],
    )
  })

  it('names every problem by line and field', () => {
    const text = `${head}releases:
  - version: 4.20
    pullspecs: ['example.com/a:1']
    images: { etcd: 'not an image' }
  - version: 4.20.1
    pullspec: example.com/b:1
    digest: sha256:abc
    previous: [old]
`
    assert.deepEqual(
      problemsOf(text).map((problem) => problem.replace(/(: .*?: ).*/, '$1…')),
      [
        '4: releases[0].version: …',
        '7: releases[1].pullspecs: …',
        '7: releases[1].images: …',
        '8: releases[1].pullspec: …',
        '9: releases[1].digest: …',
        '10: releases[1].previous[0]: …',
      ],
    )
    assert.throws(
      () => parseCatalogue(text, 'releases.yaml'),
      /the release catalogue releases.yaml cannot be used:\n {2}releases.yaml:4: releases\[0\].version: "4.20" is not a version: expected three numbers/,
    )
  })

  for (const [name, text, problems] of [
    ['is no YAML', 'a: [1', [/^1: Flow sequence/]],
    [
      'is something else',
      'kind: ConfigMap\napiVersion: v1\n',
      [/^1: kind: must be ReleaseCatalogue/, /^2: apiVersion: must be windlass.dev\/v1alpha1/],
    ],
    [
      'is empty',
      '',
      [/^1: must be an object with apiVersion, kind/, /apiVersion: is missing/, /apiVersion: must/, /kind: is missing/, /kind: must/],
    ],
    ['has a list that is none', `${head}releases: {}\n`, [/^3: releases: must be a list/]],
    ['has an unknown field', `${head}release: []\n`, [/^3: release: is no known field; there are apiVersion/]],
    [
      'has streams without what they are made of',
      `${head}streams: [{ minor: '4.20' }]\n`,
      [/repository: is missing/, /components: is missing/],
    ],
    ['has components without a repository', `${head}components: [a]\n`, [/componentRepository: is missing/]],
    ['has a repository with a tag', `${head}repository: example.com/a:1\n`, [/^3: repository: a repository, which has no tag or digest: /]],
    [
      'has a stream that is none',
      `${head}streams: [{ minor: '4.20.1', patches: many }]\n`,
      [/minor: "4.20.1" is no minor/, /repository/, /components/],
    ],
    [
      'has too many patches',
      `${head}repository: example.com/r\ncomponentRepository: example.com/c\ncomponents: [a]\nstreams:\n  - minor: '4.20'\n    patches: 1000\n`,
      [/^8: streams\[0\].patches: must be a whole number up to 200/],
    ],
    ['has an update without a risk', `${head}conditionalUpdates: [{ to: 4.20.1 }]\n`, [/from: is missing/, /risks: is missing/]],
  ] as const) {
    it(`that ${name} is refused`, () => {
      const found = problemsOf(text)
      assert.equal(found.length, problems.length, found.join('\n'))
      for (const pattern of problems)
        assert.ok(
          found.some((problem) => pattern.test(problem)),
          `${pattern} is not in\n${found.join('\n')}`,
        )
    })
  }

  it('gives a name to one release only', () => {
    const release = (version: string): string =>
      `  - { version: ${version}, pullspecs: ['example.com/a:1'], digest: '${digest}', images: { a: a } }\n`
    assert.deepEqual(problemsOf(`${head}releases:\n${release('4.20.1')}${release('4.20.2')}`), [
      '4: releases: example.com/a:1 stands for 4.20.1 (amd64) and for 4.20.2 (amd64): remove one',
      `4: releases: ${digest} stands for 4.20.1 (amd64) and for 4.20.2 (amd64): remove one`,
    ])
    assert.equal(problemsOf(`${head}releases:\n${release('4.20.1')}${release('4.20.1')}`).length, 3)
  })

  it('is read from a file, which names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'windlass-catalogue-'))
    try {
      const file = join(folder, 'releases.yaml')
      writeFileSync(file, `${head}releases: []\n`)
      assert.deepEqual(await loadCatalogue(file), { name: file, releases: [], conditionalUpdates: [] })
      await assert.rejects(loadCatalogue(join(folder, 'gone.yaml')), /gone.yaml/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
