import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anUpgradeConfig } from '@windlass/api/fixtures'
import { heldUpBy, recordHeldUp } from './held-up.ts'
import { Annotation } from './names.ts'

const heldUp = (by: string) => anUpgradeConfig({ metadata: { name: 'managed-upgrade-config', annotations: { [Annotation.heldUpBy]: by } } })
const written = (action: ReturnType<typeof recordHeldUp>) => action?.patch

describe('what holds up an upgrade', () => {
  it('is put on record when a pass fails', () => {
    deepEqual(written(recordHeldUp(anUpgradeConfig(), 'OCM is away')), {
      metadata: { annotations: { [Annotation.heldUpBy]: 'OCM is away' } },
    })
  })

  it('is not written again while it stays the same', () => {
    equal(recordHeldUp(heldUp('OCM is away'), 'OCM is away'), undefined)
    equal(recordHeldUp(anUpgradeConfig(), undefined), undefined)
  })

  it('is taken back when a pass succeeds', () => {
    deepEqual(written(recordHeldUp(heldUp('OCM is away'), undefined)), { metadata: { annotations: { [Annotation.heldUpBy]: null } } })
  })

  it('is cut where it goes on for pages, and that is the same the next time', () => {
    const page = 'x'.repeat(5000)
    equal(recordHeldUp(heldUp(page.slice(0, 500)), page), undefined)
    equal(heldUpBy(heldUp('OCM is away')), 'OCM is away')
  })
})
