import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { route, visits } from '../address.ts'
import { session, signOut } from '../server/session.ts'
import { Announcer } from './announcer.tsx'
import { Live } from './live.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { Tips } from './tip.tsx'

const places = [
  { page: 'fleet', path: '/', title: 'Fleet' },
  { page: 'exposure', path: '/exposure', title: 'Exposure' },
] as const

/** What is on every page: the bar, the way past it, and the places for tips and announcements. */
export function Shell({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const { page } = route.value
  const who = session.value
  const isIn = who.state === 'signed-in'
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="/" aria-label="Windlass, to the fleet">
          <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
            <rect width="32" height="32" rx="8" class="brand-field" />
            <circle cx="16" cy="16" r="7.5" class="brand-line" />
            <path d="M16 3.5v8M16 20.5v8M3.5 16h8M20.5 16h8" class="brand-line" />
          </svg>
          <span>Windlass</span>
        </a>
        {isIn ? (
          <nav class="places" aria-label="Pages">
            {places.map((place) => (
              <a key={place.page} href={place.path} aria-current={page === place.page ? 'page' : undefined}>
                {place.title}
              </a>
            ))}
          </nav>
        ) : null}
        <div class="bar-end">
          {isIn && (page === 'fleet' || page === 'cluster' || page === 'upgrade' || page === 'exposure') ? <Live /> : null}
          <Shortcuts />
          <ThemeSwitch />
          {isIn ? (
            <button type="button" class="button plain" onClick={() => void signOut()} title={`Signed in as ${who.view.user}; sign out`}>
              Sign out
            </button>
          ) : null}
        </div>
      </header>
      <main id="main" tabindex={-1}>
        {children}
      </main>
      <footer class="foot">
        {isIn ? (
          <span>
            Windlass {who.view.version} · {who.view.user}
            {who.view.mayAct ? '' : ' · read-only'}
          </span>
        ) : null}
        <span>Times are UTC</span>
      </footer>
      <Tips />
      <Announcer />
    </>
  )
}

let focusedVisit = 0

/** The heading of a page: names the tab, and takes the focus when somebody arrives, so that the next key starts from there. */
export function PageTitle({
  tab,
  children,
  class: name,
}: {
  readonly tab: string
  readonly children: ComponentChildren
  readonly class?: string
}): JSX.Element {
  const element = useRef<HTMLHeadingElement>(null)
  const visit = visits.value
  useEffect(() => {
    document.title = `${tab} · Windlass`
  }, [tab])
  useLayoutEffect(() => {
    // Once for each visit, and again only if the heading that had it was drawn anew.
    if (visit === 0 || (visit === focusedVisit && document.activeElement !== document.body)) return
    focusedVisit = visit
    element.current?.focus({ preventScroll: true })
  }, [visit])
  return (
    <h1 ref={element} tabindex={-1} class={name}>
      {children}
    </h1>
  )
}
