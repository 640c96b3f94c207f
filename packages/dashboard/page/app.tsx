import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { idOf } from '../src/address/index.ts'
import { followLinks, navigate, route } from './address.ts'
import { ClusterPage } from './cluster/page.tsx'
import { ExposurePage } from './exposure/page.tsx'
import { FleetPage } from './fleet/page.tsx'
import { Empty, Loading } from './parts/panel.tsx'
import { PageTitle, Shell } from './parts/shell.tsx'
import { forgetCluster } from './server/cluster.ts'
import { forgetFleet } from './server/fleet.ts'
import { look, session } from './server/session.ts'
import { SignInPage } from './sign-in/page.tsx'
import { UpgradePage } from './upgrade/page.tsx'

/** The page that the address asks for, if somebody is signed in who may see it. Whoever is not signs in where they are and then sees what they came for. */
export function App(): JSX.Element {
  useEffect(() => {
    document.addEventListener('click', followLinks)
    return () => document.removeEventListener('click', followLinks)
  }, [])
  const isOut = session.value.state === 'signed-out'
  useEffect(() => {
    if (!isOut) return
    forgetFleet()
    forgetCluster()
  }, [isOut])
  return (
    <Shell>
      <Content />
    </Shell>
  )
}

function Content(): JSX.Element {
  const who = session.value
  if (who.state === 'signed-in') return <Page />
  if (who.state === 'signed-out') return <SignInPage problem={who.problem} />
  if (who.state === 'asking') return <Loading what="Windlass" />
  return (
    <div class="page">
      <PageTitle tab="Not available">Windlass does not answer</PageTitle>
      <Empty title={who.problem}>
        <button type="button" class="button primary" onClick={() => void look()}>
          Try again
        </button>
      </Empty>
    </div>
  )
}

function Page(): JSX.Element {
  const asked = route.value
  if (asked.page === 'fleet') return <FleetPage />
  if (asked.page === 'exposure') return <ExposurePage />
  if (asked.page === 'cluster') return <ClusterPage key={idOf(asked.cluster)} parts={asked.cluster} />
  if (asked.page === 'upgrade') return <UpgradePage key={idOf(asked.cluster)} parts={asked.cluster} />
  if (asked.page === 'sign-in') return <Arrived />
  return (
    <div class="page">
      <PageTitle tab="Not found">There is no such page</PageTitle>
      <Empty title={`Nothing is at ${asked.path}`}>
        <a class="button primary" href="/">
          To the fleet
        </a>
      </Empty>
    </div>
  )
}

/** Whoever signed in on the page that is only for that goes on to the fleet. */
function Arrived(): JSX.Element {
  useEffect(() => navigate('/'), [])
  return <Loading what="the fleet" />
}
