import { globSync, readFileSync } from 'node:fs'

export interface Source {
  readonly file: string
  readonly package: string
  readonly isTest: boolean
  readonly lines: readonly string[]
}

/** Every source file of every package. */
export function sources(): readonly Source[] {
  return globSync('packages/*/src/**/*.{ts,tsx}')
    .toSorted()
    .map((file) => ({
      file,
      package: file.split('/')[1] ?? '',
      isTest: /\.test\.tsx?$/.test(file),
      lines: readFileSync(file, 'utf8').split('\n'),
    }))
}
