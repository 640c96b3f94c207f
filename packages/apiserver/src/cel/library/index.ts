/**
 * The functions that expressions may call, one file per library: the language's own operators and conversions, strings, lists and
 * sets, regular expressions, and Kubernetes' types (addresses, quantities, URLs, versions, name formats).
 */
import type { Overload } from '../overload.ts'
import { conversions } from './conversions.ts'
import { formats } from './format.ts'
import { addresses } from './ip.ts'
import { lists } from './lists.ts'
import { operators } from './operators.ts'
import { optionals } from './optionals.ts'
import { quantities } from './quantity.ts'
import { regularExpressions } from './regex.ts'
import { versions } from './semver.ts'
import { strings } from './strings.ts'
import { times } from './time.ts'
import { urls } from './url.ts'

const all: readonly Overload[] = [
  ...operators,
  ...conversions,
  ...strings,
  ...regularExpressions,
  ...lists,
  ...optionals,
  ...times,
  ...urls,
  ...addresses,
  ...quantities,
  ...versions,
  ...formats,
]

const functions = Map.groupBy(
  all.filter((each) => !each.isMethod),
  (each) => each.name,
)
const methods = Map.groupBy(
  all.filter((each) => each.isMethod),
  (each) => each.name,
)

export const functionsNamed = (name: string): readonly Overload[] => functions.get(name) ?? []
export const methodsNamed = (name: string): readonly Overload[] => methods.get(name) ?? []
