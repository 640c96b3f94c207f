import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { aSecret } from '@windlass/api/fixtures'
import { ApiError, remove } from '@windlass/kube'
import type { Action, ReconcileContext } from '@windlass/kube'
import type { Pass } from '../components/index.ts'
import { executeOperations } from './execution.ts'
import type { OperationClass, PlannedOperation } from './operations.ts'
import { outcome } from './outcome.ts'
import { aggregate } from './problems.ts'

const operation = (name: string, kind: OperationClass, rest: Partial<PlannedOperation> = {}): PlannedOperation => ({
  ...outcome({ actions: [remove(Secret, aSecret({ name }), 'a test')] }),
  name,
  class: kind,
  isBlocked: false,
  ...rest,
})

const quiet: Pass = { expected: [], waiting: [], missingImages: [], error: undefined }

/** Carries operations out on an API that fails as told, by the name of the operation. */
async function execute(operations: readonly PlannedOperation[], failures: Readonly<Record<string, Error>> = {}, pass = quiet) {
  const done: string[] = []
  const act = (action: Action): Promise<KubernetesObject | undefined> => {
    const name = action.do === 'delete' ? (action.object.metadata.name ?? '') : ''
    const failure = failures[name]
    if (failure !== undefined) return Promise.reject(failure)
    done.push(name)
    return Promise.resolve(undefined)
  }
  const context = { act, signal: new AbortController().signal } as unknown as ReconcileContext
  const executed = await executeOperations(operations, () => Promise.resolve(pass), context)
  return { done, error: aggregate(executed.problems, executed.blocked), ...executed }
}

const row = [
  operation('first', 'critical'),
  operation('second', 'non-critical'),
  operation('third', 'critical'),
  operation('fourth', 'blocked'),
]

const conflict = new ApiError({ code: 409, reason: 'Conflict', message: 'it has changed' }, 'PATCH /')

describe('operations', () => {
  it('L06 that are not critical leave the others alone when they fail', async () => {
    const { done, error, blocked } = await execute(row, { second: new Error('no second') })
    assert.deepEqual([done, error, blocked], [['first', 'third', 'fourth'], 'no second', []])
  })

  it('L07 that are critical block what depends on them, and only that', async () => {
    const { done, error } = await execute(row, { first: new Error('no first'), second: new Error('no second') })
    assert.deepEqual(done, ['third'])
    assert.equal(error, 'critical error: no first; blocked operations: [fourth]')
  })

  it('L05 tell what could be seen before, too', async () => {
    const seen = operation('second', 'critical', outcome({ problems: ['pull secret not found'] }))
    const { error } = await execute([seen, operation('fourth', 'blocked', { isBlocked: true })])
    assert.equal(error, 'critical error: pull secret not found; blocked operations: [fourth]')
  })

  it('C27 fail when one of their components does', async () => {
    const components = outcome({ components: [{ name: 'cluster-api' } as never] })
    const pass = { ...quiet, error: new AggregateError([new Error('component cluster-api: refused')], 'one of one failed') }
    const { error } = await execute([operation('operators', 'blocked', components)], {}, pass)
    assert.equal(error, 'one of one failed')
  })

  it('W7 that meet a conflict are looked at again, without an error', async () => {
    const { hasConflicts, error, done } = await execute(row, { third: conflict })
    assert.deepEqual([hasConflicts, error, done], [true, undefined, ['first', 'second']])
  })
})
