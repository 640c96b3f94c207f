/**
 * CronJobs: a Job whenever a schedule says so.
 *
 * - `schedule.ts`: cron notation. `decide.ts`: what is due, what is in the way, what is cleared away. `controller.ts`: what it looks at.
 */
export { cronJobController } from './controller.ts'
