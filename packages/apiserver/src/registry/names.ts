/**
 * What names, label keys and values may look like. Each check returns the complaints as real servers word them; none means fine.
 */
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
const serviceLabel = '[a-z]([-a-z0-9]*[a-z0-9])?'
const qualifiedPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const labelValue = `(${qualifiedPart})?`

// The expressions run over untrusted text: the two with nested repetition are matched piece by piece instead.
const labelShape = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/
const serviceShape = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/
const qualifiedShape = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/

const example = (examples: readonly string[], pattern: string): string =>
  `(e.g. ${examples.map((each) => `'${each}'`).join(',  or ')}, regex used for validation is '${pattern}')`

const tooLong = (most: number): string => `must be no more than ${most} characters`

/** The message of an ill-formed DNS subdomain, also used inside other messages. */
const subdomainText =
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ` +
  example(['example.com'], subdomain)

export function subdomainProblems(text: string): readonly string[] {
  const problems: string[] = []
  if (text.length > 253) problems.push(tooLong(253))
  if (!text.split('.').every((part) => labelShape.test(part))) problems.push(subdomainText)
  return problems
}

export function labelProblems(text: string): readonly string[] {
  const problems: string[] = []
  if (text.length > 63) problems.push(tooLong(63))
  if (!labelShape.test(text)) {
    problems.push(
      `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character ` +
        example(['my-name', '123-abc'], label),
    )
  }
  return problems
}

export function serviceNameProblems(text: string): readonly string[] {
  const problems: string[] = []
  if (text.length > 63) problems.push(tooLong(63))
  if (!serviceShape.test(text)) {
    problems.push(
      `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character ` +
        example(['my-name', 'abc-123'], serviceLabel),
    )
  }
  return problems
}

export function pathSegmentProblems(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`]
  return ['/', '%'].filter((character) => text.includes(character)).map((character) => `may not contain '${character}'`)
}

const qualifiedRule =
  `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ` +
  example(['MyName', 'my.name', '123-abc'], qualifiedPart)

/** Names that are fine. A fleet uses a few hundred, for every object again. */
const fineNames = new Set<string>()
const mostFineNames = 10_000
const noProblems: readonly string[] = []

/** `example.com/name` or `name`: keys of labels and annotations, finalizers, condition types. */
export function qualifiedNameProblems(text: string): readonly string[] {
  if (fineNames.has(text)) return noProblems
  const problems = findProblems(text)
  if (problems.length === 0 && fineNames.size < mostFineNames) fineNames.add(text)
  return problems
}

function findProblems(text: string): readonly string[] {
  const parts = text.split('/')
  if (parts.length > 2)
    return [`a qualified name ${qualifiedRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  const [prefix, name] = parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : [undefined, parts[0] ?? '']
  const problems: string[] = []
  if (prefix === '') problems.push('prefix part must be non-empty')
  else if (prefix !== undefined) problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`))
  if (name === '') problems.push('name part must be non-empty')
  else if (name.length > 63) problems.push(`name part ${tooLong(63)}`)
  if (!qualifiedShape.test(name)) problems.push(`name part ${qualifiedRule}`)
  return problems
}

export function labelValueProblems(text: string): readonly string[] {
  const problems: string[] = []
  if (text.length > 63) problems.push(tooLong(63))
  if (text !== '' && !qualifiedShape.test(text)) {
    problems.push(
      `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ` +
        example(['MyValue', 'my_value', '12345'], labelValue),
    )
  }
  return problems
}

export type NameRule = 'subdomain' | 'label' | 'service' | 'path'

const rules: Readonly<Record<NameRule, (text: string) => readonly string[]>> = {
  subdomain: subdomainProblems,
  label: labelProblems,
  service: serviceNameProblems,
  path: pathSegmentProblems,
}

/** Complaints about an object's name. A `generateName` is judged as it will be completed, so a trailing dash is fine. */
export function nameProblems(rule: NameRule, name: string, isPrefix = false): readonly string[] {
  return rules[rule](isPrefix ? name.replace(/-$/, 'a') : name)
}
