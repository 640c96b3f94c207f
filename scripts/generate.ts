/**
 * Writes what is generated from the declarations in packages/api: one CRD per kind, in deploy/crds, in a folder for each of those who may have brought it to a cluster
 * before us, and the lists of them for kustomize.
 *
 * `node scripts/generate.ts` writes; with `--check` it writes nothing, names the files that are not as they should be, and fails
 * when there are any.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allKinds, crdName, toCrd, toYaml } from '../packages/api/src/index.ts'

const folder = join(import.meta.dirname, '..', 'deploy', 'crds')

/** Who brings the kinds of a group to a cluster. To replace a CRD that an operator keeps is to fight with it, so that people must be able to leave out what they have. */
const owners = {
  own: {
    about: 'Ours, and the UpgradeConfig: what no cluster has before somebody installs it.',
    groups: ['windlass.dev', 'openshift.muller.dev', 'upgrade.managed.openshift.io'],
  },
  hosted: {
    about: 'Hosted clusters, node pools and their machines. Where HyperShift is installed, it has brought them.',
    groups: ['hypershift.openshift.io', 'cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io', 'capi-provider.agent-install.openshift.io'],
  },
  openshift: {
    about: 'What every OpenShift cluster has, and keeps itself. For servers that are none.',
    groups: [
      'config.openshift.io',
      'machine.openshift.io',
      'machineconfiguration.openshift.io',
      'monitoring.coreos.com',
      'route.openshift.io',
    ],
  },
} as const

type Owner = keyof typeof owners
const names = Object.keys(owners) as Owner[]

function ownerOf(group: string): Owner {
  const owner = names.find((name) => owners[name].groups.some((each) => each === group))
  if (owner === undefined)
    throw new Error(`nobody brings the kinds of ${group} to a cluster: name it among the owners in scripts/generate.ts`)
  return owner
}

function kustomizationOf(about: string, resources: readonly string[]): string {
  const lines = resources.toSorted().map((name) => `  - ${name}\n`)
  return `# ${about}\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n${lines.join('')}`
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const definitions = allKinds.map((kind) => ({ owner: ownerOf(kind.group), file: `${crdName(kind)}.yaml`, content: toYaml(toCrd(kind)) }))
const filesOf = (owner: Owner): readonly string[] => definitions.filter((each) => each.owner === owner).map(({ file }) => file)
const wanted = new Map([
  ...definitions.map(({ owner, file, content }): [string, string] => [join(owner, file), content]),
  ...names.map((owner): [string, string] => [join(owner, 'kustomization.yaml'), kustomizationOf(owners[owner].about, filesOf(owner))]),
  // Files and not folders, which kubectl 1.20 does not take.
  [
    'kustomization.yaml',
    kustomizationOf(
      'Every kind, for an empty server. On a cluster take those folders that nobody else looks after.',
      definitions.map(({ owner, file }) => join(owner, file)),
    ),
  ],
])
await Promise.all(names.map((owner) => mkdir(join(folder, owner), { recursive: true })))
const present = new Map(
  await Promise.all(
    (await readdir(folder, { recursive: true }))
      .filter((name) => name.endsWith('.yaml'))
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
  console.log(`${definitions.length} CRDs in deploy/crds: ${stale.length} written, ${surplus.length} removed`)
}
