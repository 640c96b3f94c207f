import { describeStore } from '../testing/conformance.ts'
import { describeCrash } from '../testing/crash-suite.ts'
import { describeDirectory } from '../testing/directory-suite.ts'
import { openSqliteStore } from './sqlite.ts'

describeStore({
  name: 'the store on SQLite',
  isDurable: true,
  modelRuns: 8,
  open: (directory) => openSqliteStore({ directory }),
})
describeCrash('sqlite', (directory) => openSqliteStore({ directory }))
describeDirectory('sqlite', (directory) => openSqliteStore({ directory }))
