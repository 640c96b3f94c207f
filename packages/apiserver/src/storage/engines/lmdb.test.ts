import { describeStore } from '../testing/conformance.ts'
import { describeCrash } from '../testing/crash-suite.ts'
import { describeDirectory } from '../testing/directory-suite.ts'
import { openLmdbStore } from './lmdb.ts'

describeStore({
  name: 'the store on LMDB',
  isDurable: true,
  modelRuns: 25,
  open: (directory) => openLmdbStore({ directory }),
})
describeCrash('lmdb', (directory) => openLmdbStore({ directory }))
describeDirectory('lmdb', (directory) => openLmdbStore({ directory }))
