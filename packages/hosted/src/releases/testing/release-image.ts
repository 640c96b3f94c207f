import { gzipSync } from 'node:zlib'
import { type Digest, digestOf } from '../pullspec/index.ts'
import { type TarContent, tarOf } from './tar-writer.ts'

/** An image with all that it is made of, ready to be pushed. */
export interface BuiltImage {
  /** Of the manifest that a tag would point to. */
  readonly digest: Digest
  readonly manifests: ReadonlyMap<Digest, { readonly mediaType: string; readonly bytes: Buffer }>
  readonly blobs: ReadonlyMap<Digest, Buffer>
}

export interface ReleaseImageOptions {
  readonly version?: string
  readonly architecture?: string
  /** Component images: name to pullspec. */
  readonly images?: Readonly<Record<string, string>>
  readonly previous?: readonly string[]
  readonly url?: string
  readonly labels?: Readonly<Record<string, string>>
  /** What is in the top layer instead of the files of a release. */
  readonly files?: readonly TarContent[]
  /** Layers below it, the lowest first. */
  readonly lowerLayers?: readonly Buffer[]
  readonly compress?: (archive: Buffer) => Buffer
  readonly style?: 'oci' | 'docker'
}

const types = {
  oci: {
    index: 'application/vnd.oci.image.index.v1+json',
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  },
  docker: {
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  },
} as const

export const someImages: Readonly<Record<string, string>> = {
  etcd: `example.com/ocp/release-content@sha256:${'e'.repeat(64)}`,
  hyperkube: `example.com/ocp/release-content@sha256:${'f'.repeat(64)}`,
}

/** The files of a release, as its top layer has them. */
export function releaseFiles(options: ReleaseImageOptions = {}): readonly TarContent[] {
  const { version = '4.20.1', images = someImages, previous = ['4.19.9', '4.20.0'], url = 'https://example.com/notes' } = options
  const tags = Object.entries(images).map(([name, image]) => ({ name, from: { kind: 'DockerImage', name: image } }))
  const stream = { kind: 'ImageStream', apiVersion: 'image.openshift.io/v1', metadata: { name: version }, spec: { tags } }
  const notes = { kind: 'cincinnati-metadata-v0', version, previous, metadata: { url } }
  return [
    { path: 'release-manifests/', type: '5' },
    { path: 'release-manifests/0000_50_installer_coreos-bootimages.yaml', content: 'kind: ConfigMap\n' },
    { path: 'release-manifests/image-references', content: JSON.stringify(stream) },
    { path: 'release-manifests/release-metadata', content: JSON.stringify(notes) },
  ]
}

/** An image for one platform. */
export function buildRelease(options: ReleaseImageOptions = {}): BuiltImage {
  const { version = '4.20.1', architecture = 'amd64', lowerLayers = [], compress = gzipSync, style = 'oci' } = options
  const labels = options.labels ?? { 'io.openshift.release': version }
  const layers = [...lowerLayers, tarOf(options.files ?? releaseFiles(options))].map((archive) => compress(archive))
  const config = Buffer.from(
    JSON.stringify({ architecture, os: 'linux', config: { Labels: labels }, rootfs: { type: 'layers', diff_ids: [] } }),
  )
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: types[style].manifest,
      config: describe(types[style].config, config),
      layers: layers.map((layer) => describe(types[style].layer, layer)),
    }),
  )
  return {
    digest: digestOf(manifest),
    manifests: new Map([[digestOf(manifest), { mediaType: types[style].manifest, bytes: manifest }]]),
    blobs: new Map([config, ...layers].map((blob) => [digestOf(blob), blob])),
  }
}

/** One name for images of several platforms. */
export function buildIndex(images: Readonly<Record<string, BuiltImage>>, style: 'oci' | 'docker' = 'oci'): BuiltImage {
  const manifests = Object.entries(images).map(([architecture, { digest, manifests: own }]) => {
    const manifest = own.get(digest)
    if (manifest === undefined) throw new Error(`the image for ${architecture} lacks its manifest`)
    return { ...describe(manifest.mediaType, manifest.bytes), platform: { os: 'linux', architecture } }
  })
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: types[style].index, manifests }))
  const built = Object.values(images)
  return {
    digest: digestOf(bytes),
    manifests: new Map([...built.flatMap((image) => [...image.manifests]), [digestOf(bytes), { mediaType: types[style].index, bytes }]]),
    blobs: new Map(built.flatMap((image) => [...image.blobs])),
  }
}

function describe(mediaType: string, bytes: Buffer): { mediaType: string; digest: Digest; size: number } {
  return { mediaType, digest: digestOf(bytes), size: bytes.length }
}
