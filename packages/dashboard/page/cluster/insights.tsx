import type { InsightView } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { ageOf, type Tone } from '../../src/words/index.ts'
import { now } from '../clock.ts'
import { Empty, Panel } from '../parts/panel.tsx'
import { Badge } from '../parts/sign.tsx'

const tones: Readonly<Record<InsightView['severity'], Tone>> = { Critical: 'bad', Warning: 'warn', Info: 'quiet' }

/** What stands in the way or may come to, worst first. */
export function Insights({ insights }: { readonly insights: readonly InsightView[] }): JSX.Element {
  return (
    <Panel title="Insights" aside={<span>{insights.length === 0 ? '' : `${insights.length} open`}</span>}>
      {insights.length === 0 ? (
        <Empty title="Nothing to say">No health insight is open.</Empty>
      ) : (
        <ul class="insights">
          {insights.map((insight) => (
            <li key={insight.name}>
              <div class="insight-head">
                <Badge tone={tones[insight.severity]}>{insight.severity}</Badge>
                <strong>{insight.summary}</strong>
              </div>
              {insight.description === undefined ? null : <p>{insight.description}</p>}
              {insight.remedy === undefined ? null : <p class="insight-remedy">{insight.remedy}</p>}
              <p class="dim">
                {[insight.impact, insight.about.join(', '), insight.since === undefined ? '' : `for ${ageOf(insight.since, now.value)}`]
                  .filter((each) => each !== undefined && each !== '')
                  .join(' · ')}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
