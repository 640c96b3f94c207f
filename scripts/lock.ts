import { completeLockfile } from './check/lockfile.ts'

const added = completeLockfile()
process.stdout.write(added.length === 0 ? 'the lock file is complete\n' : `added ${added.length} platforms to the lock file\n`)
