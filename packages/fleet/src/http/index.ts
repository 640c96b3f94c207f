/**
 * The server of the web page.
 *
 * - `dashboard.ts`: `createDashboard`: the page, its API, health. `listen.ts`: the port. `asked.ts`, `answer.ts`: requests and answers as values.
 * - `guards.ts`: what keeps other pages out. `visitors.ts`, `sign-in/`: who looks, and what they may see; `seen.ts` leaves out the rest.
 * - `api.ts`: what can be asked below `/api/v1`. `fleet-text.ts`: ten thousand rows, written once. `shared-answers.ts`: what many ask at once. `streams/`: answers that go on. `actions.ts`: what can be done.
 * - `files/`: the built page.
 *
 * The page never acts with the rights of the server: what people do is done as they.
 */
export { createDashboard, type Dashboard, type DashboardOptions, type DashboardServer } from './dashboard.ts'
export type { Tls } from './listen.ts'
export type { Credential, Door } from './sign-in/index.ts'
export { isThisMachine } from './this-machine.ts'
