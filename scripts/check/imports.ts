import { sources } from './sources.ts'

/** Which packages a package may import. The picture is in ARCHITECTURE.md; this is the law. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  core: [],
  api: ['core'],
  apiserver: ['core'],
  kube: ['core', 'api'],
  hosted: ['core', 'api', 'kube'],
  upgrades: ['core', 'api', 'kube'],
  insights: ['core', 'api', 'kube'],
  simulator: ['core', 'api', 'kube'],
  fleet: ['core', 'api', 'kube', 'hosted', 'upgrades', 'insights', 'simulator'],
  dashboard: ['core', 'api', 'fleet'],
  cli: ['core', 'api', 'kube', 'apiserver', 'hosted', 'upgrades', 'insights', 'simulator', 'fleet', 'dashboard'],
}

/** Where the arrows have an exception: tests of controllers, and the toolkit's simulation, which is made for tests, run against the embedded server. */
const exceptions: readonly { readonly files: RegExp; readonly may: string }[] = [
  { files: /^packages\/kube\/src\/simulation\//, may: 'apiserver' },
  { files: /^packages\/(kube|hosted|upgrades|insights|simulator|fleet)\/src\/.*\.test\.ts$/, may: 'apiserver' },
  // Node pools come to something only where there are machines: whole stories of them are told with simulated ones.
  { files: /^packages\/hosted\/src\/node-pool\/simulation\//, may: 'simulator' },
  // And so are whole upgrades, with a simulated cluster that is upgraded.
  { files: /^packages\/upgrades\/src\/simulation\//, may: 'simulator' },
  // What talks to OCM is tested against a simulated one.
  { files: /^packages\/upgrades\/src\/outside\/.*\.test\.ts$/, may: 'simulator' },
]

const importLine = /(?:from|import)\s*\(?\s*'(@windlass\/([a-z]+)(\/[^']*)?)'/

/** Imports between packages that go against the arrows, or past another package's front door. */
export function importProblems(): readonly string[] {
  const problems: string[] = []
  for (const source of sources()) {
    const allowed = arrows[source.package]
    if (allowed === undefined) {
      problems.push(`${source.file}: package ${source.package} has no entry in scripts/check/imports.ts`)
      continue
    }
    for (const [index, line] of source.lines.entries()) {
      const place = `${source.file}:${index + 1}`
      if (new RegExp(`from '(\\.\\./)+(?!.*\\.\\./)[a-z]+/src/`).test(line)) problems.push(`${place}: reaches into another package by path`)
      const found = importLine.exec(line)
      const target = found?.[2]
      if (target === undefined || target === source.package || allowed.includes(target)) continue
      if (exceptions.some(({ files, may }) => may === target && files.test(source.file))) continue
      problems.push(`${place}: ${source.package} may not import ${target}`)
    }
  }
  return problems
}
