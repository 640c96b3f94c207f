/** The load generator's process: takes one job at a time from its parent and answers with what it measured. */
import { jobs, type Jobs } from './jobs.ts'

interface Order {
  readonly job: keyof Jobs
  readonly of: never
}

process.on('message', ({ job, of }: Order) => {
  jobs[job](of).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  )
})
