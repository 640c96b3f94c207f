import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { JsonObject } from '../json.ts'
import { assertMatches, assertPart, type Part } from './recorded/expected.ts'
import { HookServer, type RecordedRequest } from './recorded/server.ts'
import { textIn } from './tree.ts'

/** What a real server made of built-in objects: defaults, rules, columns, patches. */
interface Scenario {
  readonly id: string
  readonly title: string
  readonly steps: readonly (RecordedRequest & { readonly expect: Expected })[]
}

interface Expected {
  readonly status: number
  readonly body?: JsonObject
  readonly message?: string
  readonly parts?: readonly Part[]
  readonly warnings?: readonly string[]
}

/** One scenario per line. */
const recorded = readFileSync(new URL('recorded/scenarios.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')

describe('recorded conversations about built-in kinds', () => {
  for (const line of recorded) {
    const { id, title, steps } = JSON.parse(line) as Scenario
    it(`${id} ${title}`, () => {
      const server = new HookServer()
      for (const [index, { expect, ...request }] of steps.entries()) {
        const answer = server.answer(request)
        const where = `step ${index + 1}: ${request.method} ${request.path}`
        assert.equal(answer.status, expect.status, `${where}: ${textIn(answer.body.message)}`)
        if (expect.body !== undefined) assertMatches(answer.body, expect.body, where)
        if (expect.message !== undefined) assertMatches(answer.body.message, expect.message, where)
        for (const part of expect.parts ?? []) assertPart(answer.body, part)
        if (expect.warnings !== undefined) assert.deepEqual(answer.warnings, expect.warnings, where)
      }
    })
  }
})
