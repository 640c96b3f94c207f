import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import { deleteOptions, writeOptions } from './options.ts'

const write = (query: string, agent?: string, isApply = false): ReturnType<typeof writeOptions> =>
  writeOptions('PatchOptions', new URLSearchParams(query), agent, isApply)

function refusal(act: () => unknown): ApiError {
  try {
    act()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  return assert.fail('it was accepted')
}

test('X8 dryRun=All is the only dry run there is', () => {
  assert.equal(write('').dryRun, false)
  assert.equal(write('dryRun=All').dryRun, true)
  const { code, message } = refusal(() => write('dryRun=Some'))
  assert.equal(code, 422)
  assert.match(message, /^PatchOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: .*: supported values: "All"$/)
})

test('X11 the field manager is the given one, else what stands before the slash in User-Agent', () => {
  assert.equal(write('fieldManager=me', 'kubectl/v1.35').fieldManager, 'me')
  assert.equal(write('', 'kubectl/v1.35 (linux)').fieldManager, 'kubectl')
  assert.equal(write('', undefined).fieldManager, 'unknown')
})

test('X11 a field manager is printable and has at most 128 bytes', () => {
  assert.equal(write(`fieldManager=${'x'.repeat(128)}`).fieldManager.length, 128)
  const long = refusal(() => write(`fieldManager=${'x'.repeat(129)}`))
  assert.equal(long.message, 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes')
  const broken = refusal(() => write('fieldManager=a%0Ab'))
  assert.equal(
    broken.message,
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
  )
})

test('A1 an apply needs a field manager, and force is for apply only', () => {
  const missing = refusal(() => write('', 'kubectl/v1', true))
  assert.equal(missing.message, 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch')
  assert.equal(write('fieldManager=me&force=true', '', true).force, true)
  const forced = refusal(() => write('force=true'))
  assert.equal(forced.message, 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch')
})

test('X9 fieldValidation is Warn unless told, and one of three', () => {
  assert.equal(write('').fieldValidation, 'Warn')
  assert.equal(write('fieldValidation=Strict').fieldValidation, 'Strict')
  assert.equal(refusal(() => write('fieldValidation=Loose')).code, 422)
})

const remove = (query: string, body?: JsonObject): ReturnType<typeof deleteOptions> => deleteOptions(new URLSearchParams(query), body)

test('L5 options of a deletion come from the query, or from the body, which wins', () => {
  assert.equal(remove('propagationPolicy=Foreground').policy, 'Foreground')
  assert.equal(remove('gracePeriodSeconds=7').gracePeriodSeconds, 7)
  assert.equal(remove('propagationPolicy=Foreground', { propagationPolicy: 'Background' }).policy, 'Background')
  assert.equal(remove('dryRun=All').dryRun, true)
  assert.deepEqual(remove('', { preconditions: { uid: 'u', resourceVersion: '7' } }), {
    dryRun: false,
    gracePeriodSeconds: undefined,
    policy: undefined,
    uid: 'u',
    resourceVersion: '7',
  })
})

test('L5 orphanDependents is the old way to say it', () => {
  assert.equal(remove('orphanDependents=true').policy, 'Orphan')
  assert.equal(remove('', { orphanDependents: false }).policy, 'Background')
  const both = refusal(() => remove('', { orphanDependents: true, propagationPolicy: 'Foreground' }))
  assert.equal(both.code, 422)
  assert.equal(
    both.message,
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Foreground": orphanDependents and deletionPropagation cannot be both set',
  )
})

test('L5 values that do not exist are refused', () => {
  assert.equal(
    refusal(() => remove('propagationPolicy=Sideways')).message,
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
  )
  assert.equal(refusal(() => remove('gracePeriodSeconds=x')).message, 'strconv.ParseInt: parsing "x": invalid syntax')
})
