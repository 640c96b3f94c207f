import { Failure } from '../../failures.ts'

type Labels = Readonly<Record<string, string>>
type Requirement = (labels: Labels) => boolean

const key = '[A-Za-z0-9./_-]+'

/** As `kubectl -l` takes it. */
const forms: readonly (readonly [RegExp, (name: string, values: string) => Requirement])[] = [
  [new RegExp(`^(${key})\\s+in\\s+\\(([^()]*)\\)$`), (name, values) => isAmong(name, values)],
  [new RegExp(`^(${key})\\s+notin\\s+\\(([^()]*)\\)$`), (name, values) => not(isAmong(name, values))],
  [new RegExp(`^(${key})\\s*!=\\s*([\\w.-]*)$`), (name, value) => not(isAmong(name, value))],
  [new RegExp(`^(${key})\\s*==?\\s*([\\w.-]*)$`), (name, value) => isAmong(name, value)],
  [new RegExp(`^!\\s*(${key})$`), (name) => not(isThere(name))],
  [new RegExp(`^(${key})$`), isThere],
]

/**
 * A selector of labels: `env=prod,tier in (a,b),!old`.
 *
 * # Errors
 *
 * `Failure`, with the part that is none.
 */
export function parseSelector(text: string): Requirement {
  const requirements = parts(text).map(parseRequirement)
  return (labels) => requirements.every((isMet) => isMet(labels))
}

/** At commas, but not at those in parentheses. */
function parts(text: string): readonly string[] {
  return text
    .split(/,(?![^()]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function parseRequirement(text: string): Requirement {
  for (const [form, make] of forms) {
    const found = form.exec(text)
    if (found !== null) return make(found[1] ?? '', found[2] ?? '')
  }
  throw new Failure(`"${text}" selects nothing: write a selector as for kubectl, like env=prod,tier in (a,b),!old`)
}

function isThere(name: string): Requirement {
  return (labels) => Object.hasOwn(labels, name)
}

function isAmong(name: string, values: string): Requirement {
  const wanted = new Set(values.split(',').map((value) => value.trim()))
  return (labels) => Object.hasOwn(labels, name) && wanted.has(labels[name] ?? '')
}

function not(requirement: Requirement): Requirement {
  return (labels) => !requirement(labels)
}
