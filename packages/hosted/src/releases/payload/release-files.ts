import { uncompressed } from './layer.ts'
import { tarEntries } from './tar.ts'

/** The files of a release that matter here. The folder holds hundreds more, which are the cluster's business. */
export interface ReleaseFiles {
  readonly imageReferences: Buffer | undefined
  readonly releaseMetadata: Buffer | undefined
  readonly hasBootImages: boolean
  readonly bootImages?: Buffer
}

const folder = 'release-manifests'
const imageReferences = `${folder}/image-references`
const releaseMetadata = `${folder}/release-metadata`
const bootImages = `${folder}/0000_50_installer_coreos-bootimages.yaml`
const wanted: ReadonlySet<string> = new Set([imageReferences, releaseMetadata, bootImages])

/** A layer takes files of the layers below away by files with this in front of the name. */
const whiteout = '.wh.'
const opaque = '.wh..wh..opq'

/** The list of images has some 100 KiB, and so have boot images. */
const largestFile = 16 * 1024 ** 2

/**
 * Reads the files from layers, the topmost first, and stops as soon as it has those that every release has. `readLayer` hands over the bytes of
 * layer `index` to a reader that may leave early.
 *
 * # Errors
 *
 * `TarError`, errors of decompression, and those of `readLayer`.
 */
export async function readReleaseFiles(
  layers: number,
  readLayer: (index: number, read: (chunks: AsyncIterable<Uint8Array>) => Promise<Findings>) => Promise<Findings>,
): Promise<ReleaseFiles> {
  let found: Findings = { files: new Map(), removed: new Set() }
  for (let index = layers - 1; index >= 0 && !isEnough(found.files); index--) {
    const before = found
    found = await readLayer(index, (chunks) => findIn(chunks, before))
    if (found.removed.has(folder) || found.removed.has('')) break
  }
  const images = found.files.get(bootImages)
  return {
    imageReferences: found.files.get(imageReferences),
    releaseMetadata: found.files.get(releaseMetadata),
    hasBootImages: images !== undefined,
    ...(images === undefined ? {} : { bootImages: images }),
  }
}

/** What the layers so far said: files, and names that are removed from the layers below. */
interface Findings {
  readonly files: ReadonlyMap<string, Buffer>
  readonly removed: ReadonlySet<string>
}

/** Metadata is not looked for in further layers: all files of a release are written in one go. */
function isEnough(files: Findings['files']): boolean {
  return files.has(imageReferences) && files.has(bootImages)
}

async function findIn(chunks: AsyncIterable<Uint8Array>, above: Findings): Promise<Findings> {
  const files = new Map(above.files)
  const removed = new Set(above.removed)
  const isHidden = (path: string): boolean => above.removed.has(path) || above.files.has(path)
  for await (const entry of tarEntries(uncompressed(chunks))) {
    const { path } = entry
    const removedPath = whiteoutOf(path)
    if (removedPath !== undefined) removed.add(removedPath)
    else if (wanted.has(path) && !isHidden(path) && entry.kind === 'file') files.set(path, await entry.read(largestFile))
    if (isEnough(files) && files.has(releaseMetadata)) break
  }
  return { files, removed }
}

/** What a whiteout takes away: a file, a folder, or everything in a folder. */
function whiteoutOf(path: string): string | undefined {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  if (name === opaque) return path.slice(0, Math.max(0, slash))
  return name.startsWith(whiteout) ? path.slice(0, slash + 1) + name.slice(whiteout.length) : undefined
}
