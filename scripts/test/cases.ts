interface Specification {
  readonly name: string
  /** Whose tests prove its cases: elsewhere the same id belongs to another specification. */
  readonly files: RegExp
  readonly ids: RegExp
  /** How many cases it has: a whole run proves all of them. */
  readonly count: number
}

/** Specifications that number their cases. Names of tests begin with the ids of the cases that they prove. */
const specifications: readonly Specification[] = [
  { name: 'hosted control planes', files: /^packages\/(core|hosted|cli)\/|^test\/hosted/, ids: /^[VCLN]\d\d$/, count: 133 },
  { name: 'node pools', files: /^packages\/|^test\//, ids: /^NP-\d\d$/, count: 70 },
  { name: 'progress insights', files: /^packages\/(core|insights|cli|simulator)\/|^test\/insights/, ids: /^T\d{2,3}$/, count: 120 },
  { name: 'managed upgrades', files: /^packages\/upgrades\/|^test\/managed-upgrades/, ids: /^[A-Z]\d\d$/, count: 145 },
]

/** A line for each case that a test of this name proves, with the place of its specification and its id. */
export function casesIn(name: string, file: string): readonly string[] {
  const words = name.split(/[\s,:]+/)
  const end = words.findIndex((word) => !/^[A-Z]{1,3}-?\d+$/.test(word))
  return words.slice(0, end < 0 ? words.length : end).flatMap((id) => {
    const place = specifications.findIndex(({ files, ids }) => ids.test(id) && files.test(file))
    return place < 0 ? [] : [`${place} ${id}`]
  })
}

/** How many cases of each specification were proved, in one line, by the lines of all processes; undefined when none was. */
export function describeCases(reports: readonly string[]): string | undefined {
  const counts = proved(reports).flatMap(({ name, count }) => (count === 0 ? [] : [`${count} ${name}`]))
  return counts.length === 0 ? undefined : `specification cases: ${counts.join(', ')}`
}

/** What a whole run should have proved and did not, a line for each specification. */
export function missingCases(reports: readonly string[]): readonly string[] {
  return proved(reports).flatMap(({ name, count, wanted }) =>
    count < wanted
      ? [`${wanted - count} of ${wanted} cases of ${name} were not proved: a test is gone, failed, or has lost the id in its name`]
      : [],
  )
}

function proved(reports: readonly string[]): readonly { readonly name: string; readonly count: number; readonly wanted: number }[] {
  const lines = new Set(reports.flatMap((report) => report.split('\n')))
  return specifications.map(({ name, count: wanted }, place) => {
    return { name, wanted, count: [...lines].filter((line) => line.startsWith(`${place} `)).length }
  })
}
