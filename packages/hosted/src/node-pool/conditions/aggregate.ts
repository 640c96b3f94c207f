/** What keeps one machine from being as it should. */
export interface MachineProblem {
  readonly machine: string
  readonly reason: string
  readonly message: string
}

const longestBlock = 1000
const longestMessage = 3000
const longestReason = 1024

/** Problems of many machines as one condition: grouped by reason, sorted, so that it changes only when something does, and not too long. */
export function aggregate(
  problems: readonly MachineProblem[],
  total: number,
  word: string,
): { readonly reason: string; readonly message: string } {
  const byReason = Map.groupBy(problems, ({ reason }) => reason)
  const reasons = [...byReason.keys()].toSorted()
  let message = `${problems.length} of ${total} machines are not ${word}\n`
  for (const reason of reasons) {
    const block = blockOf((byReason.get(reason) ?? []).map(lineOf).toSorted())
    if (message.length + block.length > longestMessage) {
      message += '... message truncated\n'
      break
    }
    message += block
  }
  return { reason: joined(reasons), message }
}

function lineOf({ machine, reason, message }: MachineProblem): string {
  return message === '' ? `Machine ${machine}: ${reason}\n` : `Machine ${machine}: ${reason}: ${message}\n`
}

function blockOf(lines: readonly string[]): string {
  let block = ''
  for (const line of lines) {
    if (block.length + line.length > longestBlock) return `${block}... too many similar errors\n`
    block += line
  }
  return block
}

function joined(reasons: readonly string[]): string {
  const suffix = ',ReasonsTruncated'
  const text = reasons.join(',')
  return text.length <= longestReason ? text : `${text.slice(0, longestReason - suffix.length)}${suffix}`
}
