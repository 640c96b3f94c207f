import { readFileSync, writeFileSync } from 'node:fs'

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

interface Lockfile {
  readonly packages: Record<string, LockedPackage>
}

const file = 'package-lock.json'

/**
 * The lock file names packages and their hashes, not the registry somebody happened to use. And it names the binaries of every
 * platform, though npm leaves out those that a registry does not carry: `npm ci` insists on them.
 */
export function lockfileProblems(): readonly string[] {
  const text = readFileSync(file, 'utf8')
  const named = text
    .split('\n')
    .flatMap((line, index) => (/"resolved": "http/.test(line) ? [`${file}:${index + 1}: names a registry`] : []))
  const missing = missingPlatforms(JSON.parse(text) as Lockfile).map(({ name }) => `${file}: ${name} is missing; run: npm run lock`)
  return [...named, ...missing]
}

/** `npm run lock`, after every `npm install`: puts the platforms back that npm left out. */
export function completeLockfile(): readonly string[] {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
  const missing = missingPlatforms(lock)
  for (const { name, version, isDev } of missing) {
    lock.packages[`node_modules/${name}`] = { version, ...platformOf(name), ...(isDev ? { dev: true } : {}), optional: true }
  }
  const packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
  return missing.map(({ name }) => name)
}

function missingPlatforms({ packages }: Lockfile): readonly { name: string; version: string; isDev: boolean }[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => packages[`node_modules/${name}`] === undefined && packages[`${path}/node_modules/${name}`] === undefined)
      .map(([name, version]) => ({ name, version, isDev: dev })),
  )
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64']

/** Binary packages say in their names what they run on. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const parts = name.split('/').at(-1)?.split('-') ?? []
  // No machine is one, so that npm installs it only where it is asked to.
  if (parts.includes('wasm32')) return { cpu: ['wasm32'] }
  const os = systems.find((each) => parts.includes(each))
  const cpu = processors.find((each) => parts.includes(each))
  if (os === undefined || cpu === undefined) throw new Error(`${name}: cannot tell its platform from its name; complete ${file} by hand`)
  const libc = parts.some((part) => part.startsWith('musl')) ? 'musl' : parts.includes('gnu') ? 'glibc' : undefined
  return { cpu: [cpu], os: [os], ...(libc === undefined ? {} : { libc: [libc] }) }
}
