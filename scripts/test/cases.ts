interface Specification {
  readonly name: string
  /** Whose tests prove its cases: elsewhere the same id belongs to another specification. */
  readonly files: RegExp
  readonly ids: RegExp
}

/** Specifications that number their cases. Names of tests begin with the ids of the cases that they prove. */
const specifications: readonly Specification[] = [
  { name: 'hosted control planes', files: /^packages\/(core|hosted|cli)\/|^test\/hosted/, ids: /^[VCLN]\d\d$/ },
  { name: 'node pools', files: /^packages\/|^test\//, ids: /^NP-\d\d$/ },
  { name: 'progress insights', files: /^packages\/(core|insights|cli|simulator)\/|^test\/insights/, ids: /^T\d{2,3}$/ },
  { name: 'managed upgrades', files: /^packages\/upgrades\/|^test\/managed-upgrades/, ids: /^[A-Z]\d\d$/ },
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
  const proved = new Set(reports.flatMap((report) => report.split('\n')))
  const counts = specifications.flatMap(({ name }, place) => {
    const count = [...proved].filter((line) => line.startsWith(`${place} `)).length
    return count === 0 ? [] : [`${count} ${name}`]
  })
  return counts.length === 0 ? undefined : `specification cases: ${counts.join(', ')}`
}
