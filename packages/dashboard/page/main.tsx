/**
 * The web page.
 *
 * - `address.ts`: where the page is; everything it shows follows from there. `clock.ts`: the server's time.
 * - `server/`: what is asked of the server and kept of its answers.
 * - `fleet/`, `cluster/`, `upgrade/`, `exposure/`, `sign-in/`: the pages. `parts/`: what they share. `styles/`: how it looks.
 *
 * What needs no browser is in `../src`, with its tests.
 */
import { render } from 'preact'
import { App } from './app.tsx'
import { begin } from './server/session.ts'

const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
void begin()
