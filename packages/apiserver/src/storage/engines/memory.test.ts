import { describeStore } from '../testing/conformance.ts'
import { openMemoryStore } from './memory.ts'

describeStore({
  name: 'the store in memory',
  isDurable: false,
  modelRuns: 150,
  open: (_directory, options) => Promise.resolve(openMemoryStore(options)),
})
