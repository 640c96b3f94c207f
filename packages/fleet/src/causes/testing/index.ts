/** For tests: evidence about clusters that rest, and answers in short. `evidence.ts` is all there is. */
export { aClassicEvidence, ago, aHostedEvidence, now, pathOf, paths, since } from './evidence.ts'
