import type { User } from '../user.ts'

/** A bearer token known by heart. */
export interface StaticToken {
  readonly token: string
  readonly user: User
  /** Limits the token to one logical cluster; without it, it is good in all of them. */
  readonly cluster?: string
}

/** Thrown for a token file that cannot be read. The message names the file and the line; it never shows a token. */
export class TokenFileError extends Error {
  readonly file: string
  readonly line: number

  constructor(file: string, line: number, problem: string) {
    super(`${file}:${line}: ${problem}`)
    this.name = 'TokenFileError'
    this.file = file
    this.line = line
  }
}

/**
 * Reads the CSV of kube-apiserver's `--token-auth-file`: `token,user,uid,"group1,group2"`, the groups optional. Empty lines are
 * skipped; further columns are ignored.
 */
export function parseTokenFile(content: string, file: string): readonly StaticToken[] {
  const tokens: StaticToken[] = []
  const lines = new Map<string, number>()
  for (const { line, fields } of csvRecords(content, file)) {
    const [token = '', name = '', uid = '', groups = ''] = fields
    if (fields.length < 3) {
      throw new TokenFileError(file, line, `has ${fields.length} of at least 3 columns: token,user,uid[,"group1,group2"]`)
    }
    if (token === '') throw new TokenFileError(file, line, 'the token in column 1 is empty')
    if (name === '') throw new TokenFileError(file, line, 'the user in column 2 is empty')
    const earlier = lines.get(token)
    if (earlier !== undefined) throw new TokenFileError(file, line, `the token was already given in line ${earlier}`)
    lines.set(token, line)
    const groupNames = groups.split(',').map((group) => group.trim())
    tokens.push({ token, user: { name, uid, groups: groupNames.filter((group) => group !== ''), extra: {} } })
  }
  return tokens
}

interface CsvRecord {
  /** Where the record starts, counted from one. */
  readonly line: number
  readonly fields: readonly string[]
}

/** Fields may be quoted; a quoted field may hold commas, line ends and doubled quotes. */
function* csvRecords(content: string, file: string): Generator<CsvRecord> {
  const field = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^",\r\n]*))(,|\r?\n|$)/y
  let line = 1
  let fields: string[] = []
  let start = line
  while (field.lastIndex < content.length || fields.length > 0) {
    const match = field.exec(content)
    if (match === null) throw new TokenFileError(file, line, 'has a quote that does not open or close a column')
    const [whole, quoted, plain = '', end] = match
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    line += whole.split('\n').length - 1
    if (end === ',') continue
    if (fields.length > 1 || fields[0] !== '') yield { line: start, fields }
    fields = []
    start = line
  }
}
