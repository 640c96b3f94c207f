/** Writes what is said now into the golden files. Read the difference before you commit it: it is what people will see. */
import { type GoldenFile, goldenFiles, runSituation, situations, writeExpected } from './situations.ts'

const files = Object.keys(goldenFiles) as GoldenFile[]

for (const situation of situations()) {
  for (const file of files) writeExpected(situation, file, (await runSituation(situation, file)).out)
}
