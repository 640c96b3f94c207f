/** What the Deployment Validation Operator says about disruption budgets. Clusters need not have it. */
export type DeploymentValidation =
  | { readonly is: 'not installed' }
  /** It is there, and nobody knows where or as whom to ask it. */
  | { readonly is: 'unreachable'; readonly problem: string }
  | { readonly is: 'unanswered'; readonly problem: string }
  /** Its metrics, in the text format of Prometheus. */
  | { readonly is: 'answered'; readonly metrics: string }

/** A disruption budget, as it is reported. */
export interface NamedBudget {
  readonly Name: string
  readonly Namespace: string
}

const badBudgetMetrics = new Set(['deployment_validation_operator_pdb_max_unavailable', 'deployment_validation_operator_pdb_min_available'])

/** A sample: a name, perhaps labels, a value, perhaps a time. Label values may hold anything, also braces, so the labels end with a quote. */
const sampleLine = /^([a-zA-Z_:][\w:]*)\s*(?:\{((?:[^"{}]|"(?:[^"\\]|\\.)*")*)\})?\s+(\S+)(?:\s+-?\d+)?\s*$/
const labelPair = /([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"/g

export interface BudgetReport {
  /** Some sample says that a budget is bad, whether or not it says which. */
  readonly isBad: boolean
  readonly budgets: readonly NamedBudget[]
}

/** The bad budgets that the metrics tell of, where they are outside of the namespaces that do not count. Comments never count. */
export function readBudgetReport(metrics: string, isConsidered: (namespace: string) => boolean): BudgetReport {
  const budgets: NamedBudget[] = []
  let isBad = false
  for (const line of metrics.split('\n')) {
    const sample = sampleLine.exec(line)
    if (sample === null || !badBudgetMetrics.has(sample[1] ?? '') || !(Number(sample[3]) > 0)) continue
    const labels = labelsOf(sample[2] ?? '')
    const namespace = labels.get('namespace') ?? ''
    if (namespace !== '' && !isConsidered(namespace)) continue
    isBad = true
    if (labels.get('kind') === 'PodDisruptionBudget') budgets.push({ Name: labels.get('name') ?? '', Namespace: namespace })
  }
  return { isBad, budgets }
}

function labelsOf(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(labelPair), ([, name = '', value = '']) => [name, unescaped(value)]))
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
}
