import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { MemberNotices } from '../fleet/members.tsx'
import { StaleNotice } from '../parts/live.tsx'
import { Empty, Loading } from '../parts/panel.tsx'
import { PageTitle } from '../parts/shell.tsx'
import { fleet, followFleet } from '../server/fleet.ts'
import { answer, keepAsking, query } from './answer.ts'
import { Counts } from './counts.tsx'
import { FixedVersionsForm } from './form.tsx'
import { ExposureTable } from './table.tsx'

/** Who is exposed to a vulnerability, by the versions that fix it, and how that is known. */
export function ExposurePage(): JSX.Element {
  useEffect(() => {
    const stream = followFleet()
    const end = keepAsking()
    return () => {
      stream.close()
      end()
    }
  }, [])
  const known = answer.value
  const isAsked = query.value.fixedIn.length > 0
  return (
    <div class="page exposure">
      <div class="page-head">
        <PageTitle tab="Exposure">Exposure</PageTitle>
        <p class="page-sub">Which clusters may still run a version without a fix, on either side.</p>
      </div>
      <StaleNotice />
      <MemberNotices members={fleet.value?.members ?? []} />
      <FixedVersionsForm />
      {!isAsked ? (
        <Empty title="Which versions have the fix?">
          Enter the first fixed version of each minor, as an advisory lists them. Clusters of a minor that is not among them are Unknown,
          also those of a newer one.
        </Empty>
      ) : known.state === 'failed' ? (
        <Empty title="There is no answer">
          <p>{known.problem}</p>
          <p>It is asked again by itself.</p>
        </Empty>
      ) : known.state === 'asking' ? (
        <Loading what="the answer" />
      ) : (
        <>
          <Counts view={known.view} />
          <ExposureTable view={known.view} />
        </>
      )}
    </div>
  )
}
