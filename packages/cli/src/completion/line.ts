import type { MemberFlags } from '../dashboard/members.ts'

/**
 * What a line that is not finished says about where clusters are. Readline cuts `--context=a` into three words, other shells leave it in one; the last word is the
 * one that is being typed.
 */
export function flagsIn(words: readonly string[]): MemberFlags {
  const values = (option: string): readonly string[] =>
    words.flatMap((word, index) => {
      if (word.startsWith(`${option}=`)) return [word.slice(option.length + 1)]
      if (word !== option) return []
      const next = words[index + 1]
      return [(next === '=' ? words[index + 2] : next) ?? '']
    })
  const kubeconfig = values('--kubeconfig').findLast((value) => value !== '')
  const context = values('--context')
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '')
  return {
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context.length === 0 ? {} : { context }),
    ...(words.includes('--all-contexts') ? { allContexts: true } : {}),
  }
}
