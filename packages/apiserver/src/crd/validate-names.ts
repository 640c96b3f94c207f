import { invalid, required, type FieldError } from '../errors/field-error.ts'
import { serviceNameProblems } from '../registry/names.ts'
import type { Names } from './model.ts'

const labelProblem = (text: string): string => serviceNameProblems(text).join(',')

/** Names that a definition must give; what it accepts may lack them. */
export function missingNames(names: Names, field: string): readonly FieldError[] {
  const needed = ['plural', 'singular', 'kind', 'listKind'] as const
  return needed.filter((name) => names[name] === '').map((name) => required(`${field}.${name}`))
}

export function nameErrors(names: Names, field: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const check = (at: string, name: string): void => {
    const problem = name === '' ? '' : labelProblem(name)
    if (problem !== '') errors.push(invalid(`${field}.${at}`, name, problem))
  }
  const checkMixed = (at: string, name: string): void => {
    const problem = name === '' ? '' : labelProblem(name.toLowerCase())
    if (problem !== '') errors.push(invalid(`${field}.${at}`, name, `may have mixed case, but should otherwise match: ${problem}`))
  }
  const checkEach = (at: string, list: readonly string[]): void => {
    for (const [index, name] of list.entries()) {
      const problem = labelProblem(name)
      if (problem !== '') errors.push(invalid(`${field}.${at}[${index}]`, name, problem))
    }
  }
  check('plural', names.plural)
  check('singular', names.singular)
  checkMixed('kind', names.kind)
  checkMixed('listKind', names.listKind)
  checkEach('shortNames', names.shortNames)
  if (names.kind !== '' && names.kind === names.listKind) {
    errors.push(invalid(`${field}.listKind`, names.listKind, 'kind and listKind may not be the same'))
  }
  checkEach('categories', names.categories)
  return errors
}
