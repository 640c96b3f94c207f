/** For tests of what talks to others: `stage.ts` is a cluster, and servers that answer what they are told to, without a network. */
export { aClient, aStage, type Base, type FakeServer, type Stage, type StageOptions, token } from './stage.ts'
