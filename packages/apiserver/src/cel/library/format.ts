import {
  labelProblems,
  labelValueProblems,
  nameProblems,
  qualifiedNameProblems,
  serviceNameProblems,
  subdomainProblems,
} from '../../registry/names.ts'
import { fn, method, type Overload } from '../overload.ts'
import { parseDate, parseDateTime } from '../time.ts'
import { list, opaque, optional, string } from '../types.ts'
import { ListValue, Opaque, OptionalValue } from '../values.ts'
import { urlProblem } from './url.ts'

type Check = (text: string) => readonly string[]

class FormatValue extends Opaque {
  readonly typeName = 'kubernetes.NamedFormat'
  readonly name: string
  readonly check: Check

  constructor(name: string, check: Check) {
    super()
    this.name = name
    this.check = check
  }

  equals(other: Opaque): boolean {
    return other instanceof FormatValue && other.name === this.name
  }

  toText(): string {
    return this.name
  }
}

const unless =
  (isFine: (text: string) => boolean, problem: string): Check =>
  (text) =>
    isFine(text) ? [] : [problem]

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const checks: Readonly<Record<string, Check>> = {
  dns1123Label: labelProblems,
  dns1123Subdomain: subdomainProblems,
  dns1035Label: serviceNameProblems,
  qualifiedName: qualifiedNameProblems,
  dns1123LabelPrefix: (text) => nameProblems('label', text, true),
  dns1123SubdomainPrefix: (text) => nameProblems('subdomain', text, true),
  dns1035LabelPrefix: (text) => nameProblems('service', text, true),
  labelValue: labelValueProblems,
  uri: (text) => {
    const problem = urlProblem(text)
    return problem === undefined ? [] : [problem]
  },
  uuid: unless((text) => uuid.test(text), 'does not match the UUID format'),
  byte: unless((text) => base64.test(text), 'invalid base64'),
  date: unless((text) => parseDate(text) !== undefined, 'invalid date'),
  datetime: unless((text) => parseDateTime(text) !== undefined, 'invalid datetime'),
}

const known = new Map(Object.entries(checks).map(([name, check]) => [name, new FormatValue(name, check)]))

function validate(format: FormatValue, text: string): OptionalValue {
  const problems = format.check(text)
  return problems.length === 0 ? OptionalValue.none : new OptionalValue(new ListValue(problems))
}

const format = opaque<FormatValue>('kubernetes.NamedFormat')

export const formats: readonly Overload[] = [
  ...Array.from(known, ([name, value]) => fn(`format.${name}`, [], format, () => value)),
  fn('format.named', [string], optional(format), (x) => new OptionalValue(known.get(x))),
  method('validate', [format, string], optional(list(string)), validate),
]
