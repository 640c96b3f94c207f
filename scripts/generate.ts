/**
 * Writes what is generated from the declarations in packages/api: one CRD per kind, in deploy/crds.
 *
 * `node scripts/generate.ts` writes; with `--check` it writes nothing, names the files that are not as they should be, and fails
 * when there are any.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allKinds, crdName, toCrd, toYaml } from '../packages/api/src/index.ts'

const folder = join(import.meta.dirname, '..', 'deploy', 'crds')

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const wanted = new Map(allKinds.map((kind) => [`${crdName(kind)}.yaml`, toYaml(toCrd(kind))]))
await mkdir(folder, { recursive: true })
const present = new Map(
  await Promise.all(
    (await readdir(folder))
      // Whatever else is in the folder (kustomization.yaml) is written by hand.
      .filter((name) => /^[^.]+\..+\.yaml$/.test(name))
      .map(async (name): Promise<[string, string]> => [name, await readFile(join(folder, name), 'utf8')]),
  ),
)
const stale = [...wanted].filter(([name, content]) => present.get(name) !== content)
const surplus = present
  .keys()
  .toArray()
  .filter((name) => !wanted.has(name))

if (values.check) {
  for (const [name] of stale) console.error(`deploy/crds/${name} is ${present.has(name) ? 'not up to date' : 'missing'}`)
  for (const name of surplus) console.error(`deploy/crds/${name} belongs to no kind`)
  if (stale.length + surplus.length > 0) {
    console.error('Run `npm run generate` and commit what changed.')
    process.exitCode = 1
  }
} else {
  await Promise.all(stale.map(([name, content]) => writeFile(join(folder, name), content)))
  await Promise.all(surplus.map((name) => rm(join(folder, name))))
  console.log(`${wanted.size} CRDs in deploy/crds: ${stale.length} written, ${surplus.length} removed`)
}
