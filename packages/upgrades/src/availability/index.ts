/** Whether external dependencies answer: `attempts.ts` judges each request and says when to try again. */
export { type DependencyAttempt, type AttemptVerdict, availabilityProblem, judgeAttempt } from './attempts.ts'
