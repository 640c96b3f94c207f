import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CronJob, Job, Pod } from '@windlass/api'
import { aCronJob, aJob } from '@windlass/api/fixtures'
import { findCondition, formatTime, isTrue } from '@windlass/core'
import { evict } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import { failureAnnotation } from '../../failures/index.ts'
import { aWorld, draftOf, imageOf, namespace, templateOf } from '../testing/index.ts'

const ref = { namespace, name: 'work' }
const job = ({ state }: World): Job | undefined => state.get(Job, ref)
const hasEnded = (found: Job | undefined): boolean =>
  isTrue(found?.status?.conditions, 'Complete') || isTrue(found?.status?.conditions, 'Failed')
const untilOver = (world: World, within = '10m'): Promise<void> => world.until(() => hasEnded(job(world)), { within })

const jobDraft = (restartPolicy: 'Never' | 'OnFailure', spec: Partial<Job['spec']> = {}, fail?: string) => {
  const template = templateOf('work', imageOf('1'), fail === undefined ? undefined : { [failureAnnotation]: fail })
  return draftOf(aJob({ name: 'work', namespace, spec: { template: { ...template, spec: { ...template.spec, restartPolicy } }, ...spec } }))
}

describe('on an API server, a Job', () => {
  it('runs its Pods and is complete', async () => {
    await simulate(
      aWorld(1, async (world) => {
        await world.client.create(Job, jobDraft('OnFailure', { completions: 4, parallelism: 2 }))
        await untilOver(world)
        const { status } = job(world) ?? assert.fail()
        assert.deepEqual(
          status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`),
          ['SuccessCriteriaMet True CompletionsReached', 'Complete True CompletionsReached'],
        )
        assert.deepEqual([status?.succeeded, status?.active, status?.ready, status?.failed], [4, undefined, 0, undefined])
        assert.ok((status?.completionTime ?? '') > (status?.startTime ?? '~'))
        assert.deepEqual(
          world.state.list(Pod).map((pod) => pod.status?.phase),
          ['Succeeded', 'Succeeded', 'Succeeded', 'Succeeded'],
        )
      }),
    )
  })

  it('whose Pods fail makes new ones, and gives up in the end', async () => {
    await simulate(
      aWorld(2, async (world) => {
        await world.client.create(Job, jobDraft('Never', { backoffLimit: 2 }, 'crash-loop'))
        await untilOver(world)
        const { status } = job(world) ?? assert.fail()
        assert.equal(findCondition(status?.conditions, 'Failed')?.reason, 'BackoffLimitExceeded')
        assert.equal(status?.failed, 3)
        assert.equal(status?.completionTime, undefined)
      }),
    )
  })

  it('whose containers fail starts them again, and gives up in the end', async () => {
    await simulate(
      aWorld(3, async (world) => {
        await world.client.create(Job, jobDraft('OnFailure', { backoffLimit: 3 }, 'crash-loop'))
        await untilOver(world)
        assert.equal(findCondition(job(world)?.status?.conditions, 'Failed')?.reason, 'BackoffLimitExceeded')
        await world.until(() => world.state.count(Pod) === 0, { within: '1m' })
      }),
    )
  })

  it('that fails a few times succeeds when its containers do', async () => {
    await simulate(
      aWorld(4, async (world) => {
        await world.client.create(Job, jobDraft('OnFailure', { backoffLimit: 6 }, 'crash-loop times=2'))
        await untilOver(world)
        assert.ok(isTrue(job(world)?.status?.conditions, 'Complete'))
        assert.equal(world.state.list(Pod)[0]?.status?.containerStatuses?.[0]?.restartCount, 2)
      }),
    )
  })

  it('survives the simulator, and runs nothing twice', async () => {
    for (const moment of [10, 4_000, 9_000, 15_000, 22_000]) {
      await simulate(
        aWorld(5, async (world) => {
          await world.client.create(Job, jobDraft('Never', { completions: 2 }))
          await world.sleep(moment)
          world.processes.get('operator-1')?.crash()
          await untilOver(world)
          assert.equal(world.state.count(Pod), 2)
        }),
      )
    }
  })

  it('runs nothing again because Pods that have ended are evicted', async () => {
    const { writes } = await simulate(
      aWorld(8, async (world) => {
        await world.client.create(Job, jobDraft('Never', { completions: 3 }))
        for (let count = 1; count <= 3; count++) {
          await world.until(() => job(world)?.status?.succeeded === count, { within: '5m' })
          for (const pod of world.state.list(Pod).filter(({ status }) => status?.phase === 'Succeeded'))
            assert.equal(await evict(world.client, pod, new AbortController().signal), 'going')
        }
        await untilOver(world)
        await world.settled({ within: '5m' })
        assert.ok(isTrue(job(world)?.status?.conditions, 'Complete'))
        assert.deepEqual([job(world)?.status?.succeeded, world.state.count(Pod)], [3, 0])
      }),
    )
    const made = writes.flatMap((write) => write.as(Pod)?.metadata.uid ?? [])
    assert.equal(new Set(made).size, 3)
  })

  it('goes with its time to live', async () => {
    await simulate(
      aWorld(6, async (world) => {
        await world.client.create(Job, jobDraft('Never', { ttlSecondsAfterFinished: 30 }))
        await untilOver(world)
        await world.until(() => job(world) === undefined && world.state.count(Pod) === 0, { within: '1m' })
      }),
    )
  })
})

describe('on an API server, a CronJob', () => {
  it('makes Jobs on time, says so, and keeps a few', async () => {
    await simulate(
      aWorld(7, async (world) => {
        const template = jobDraft('Never').spec.template
        const spec = {
          schedule: '*/10 * * * *',
          concurrencyPolicy: 'Forbid',
          successfulJobsHistoryLimit: 2,
          jobTemplate: { spec: { template } },
        } as const
        await world.client.create(CronJob, draftOf(aCronJob({ name: 'tidy', namespace, spec })))
        await world.sleep('65m')
        const { status } = world.state.get(CronJob, { namespace, name: 'tidy' }) ?? assert.fail()
        assert.equal(status?.lastScheduleTime, formatTime(Date.UTC(2026, 0, 1, 1)))
        assert.ok((status?.lastSuccessfulTime ?? '') > formatTime(Date.UTC(2026, 0, 1, 1)))
        assert.equal(status?.active, undefined)
        const minutes = world.state
          .list(Job)
          .map(({ metadata }) => Number(metadata.name?.split('-').at(-1)) - Date.UTC(2026, 0, 1) / 60_000)
        assert.deepEqual(new Set(minutes), new Set([50, 60]))
        await world.settled({ within: '5m', quietFor: '30s' })
      }),
    )
  })
})
