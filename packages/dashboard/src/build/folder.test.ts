import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pageFolder } from '../index.ts'

it('the folder of the page is named when the page is in it', () => {
  const folder = pageFolder()
  assert.ok(folder === undefined || existsSync(join(folder, 'index.html')))
})
