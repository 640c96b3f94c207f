import { type Failure, type FailureMode, failureModes } from './failure.ts'

export interface ParsedFailures {
  readonly failures: readonly Failure[]
  /** What could not be read, in words for the person who wrote it. */
  readonly problems: readonly string[]
}

const nothing: ParsedFailures = { failures: [], problems: [] }

/**
 * Reads what an annotation says: `crash-loop`, or `image-pull image=4.20.1; slow name=etcd-* factor=5`. What cannot be read is left out and told;
 * the rest counts.
 */
export function parseFailures(text: string | undefined): ParsedFailures {
  if (text === undefined || text.trim() === '') return nothing
  const failures: Failure[] = []
  const problems: string[] = []
  for (const part of text.split(/[;\n]/).map((each) => each.trim())) {
    if (part === '') continue
    const read = parseOne(part)
    if (typeof read === 'string') problems.push(read)
    else failures.push(read)
  }
  return { failures, problems }
}

function parseOne(text: string): Failure | string {
  const [mode = '', ...options] = text.split(/\s+/)
  if (!isMode(mode)) return `"${mode}" is no failure that can be simulated: choose from ${failureModes.join(', ')}`
  let failure: Failure = { mode }
  for (const option of options) {
    const equals = option.indexOf('=')
    const read = equals < 0 ? undefined : optionOf(option.slice(0, equals), option.slice(equals + 1))
    if (read === undefined) {
      return `"${option}" of ${mode} cannot be understood: write name=<pattern>, image=<text>, factor=<number> or times=<number>, without spaces`
    }
    failure = { ...failure, ...read }
  }
  return failure
}

function isMode(text: string): text is FailureMode {
  return failureModes.some((mode) => mode === text)
}

function optionOf(key: string, value: string): Partial<Omit<Failure, 'mode'>> | undefined {
  if (value === '') return undefined
  switch (key) {
    case 'name':
      return { name: value }
    case 'image':
      return { image: value }
    case 'factor':
      return Number(value) > 0 && Number.isFinite(Number(value)) ? { factor: Number(value) } : undefined
    case 'times':
      return /^\d+$/.test(value) ? { times: Number(value) } : undefined
    default:
      return undefined
  }
}
