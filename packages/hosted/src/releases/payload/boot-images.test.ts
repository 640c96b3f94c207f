import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stringify } from 'yaml'
import { bootImagesIn } from './boot-images.ts'

const stream = (ami: string, disk: string) => ({
  architectures: {
    x86_64: {
      artifacts: { openstack: { release: '9.6' } },
      images: {
        aws: { regions: { 'us-east-1': { release: '9.6', image: ami }, 'eu-west-1': { release: '9.6', image: '' } } },
        kubevirt: { release: '9.6', image: 'example.com/rhcos:9.6', 'digest-ref': disk },
      },
    },
    ppc64le: { images: { powervs: { regions: { syd: { object: 'a.ova.gz' } } } } },
  },
})

const file = (data: object) =>
  Buffer.from(stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'coreos-bootimages' }, data }))

describe('the boot images of a release', () => {
  it('are those of its stream, by processor, platform and region', () => {
    assert.deepEqual(bootImagesIn(file({ stream: JSON.stringify(stream('ami-1', 'example.com/rhcos@sha256:1')) })), [
      { stream: '', architecture: 'x86_64', platform: 'AWS', region: 'us-east-1', image: 'ami-1' },
      { stream: '', architecture: 'x86_64', platform: 'KubeVirt', image: 'example.com/rhcos@sha256:1' },
    ])
  })

  it('are those of all its streams, where it has several', () => {
    const streams = { 'rhel-9': stream('ami-9', 'example.com/rhcos@sha256:9'), 'rhel-10': stream('ami-10', 'example.com/rhcos@sha256:10') }
    const images = bootImagesIn(file({ streams: JSON.stringify(streams) }))
    assert.deepEqual(
      images.filter(({ platform }) => platform === 'AWS').map(({ stream: name, image }) => [name, image]),
      [
        ['rhel-9', 'ami-9'],
        ['rhel-10', 'ami-10'],
      ],
    )
  })

  it('are none where they cannot be read', () => {
    for (const text of ['kind: ConfigMap\n', 'x: [', 'data: { stream: "{" }', 'data: { stream: "[]", streams: "{\\"rhel-9\\": 3}" }']) {
      assert.deepEqual(bootImagesIn(Buffer.from(text)), [], text)
    }
  })
})
