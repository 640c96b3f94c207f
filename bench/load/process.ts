/** The load generator's process. */
import { serveJobs } from '../job-process.ts'
import { jobs } from './jobs.ts'

serveJobs(jobs)
