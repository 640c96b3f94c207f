/** For the tests of this package: clusters and upgrades at a fixed moment (`clusters.ts`), and hands that remember (`hands.ts`). */
export * from './clusters.ts'
export * from './hands.ts'
