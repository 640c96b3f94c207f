/** For the tests of this package: clusters and upgrades at a fixed moment (`clusters.ts`), hands that remember (`hands.ts`), and everything outside (`outside/`). */
export * from './clusters.ts'
export * from './hands.ts'
