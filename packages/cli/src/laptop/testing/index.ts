/** The sample fleet in virtual time, for tests. `fleet.ts` is all there is. */
export * from './fleet.ts'
