/**
 * Who looks at the page, and what they may see.
 *
 * - `door.ts`: how people get into members, with rights of their own. `reviews.ts`: the questions that a member is asked about them. `sign-in.ts`: what follows from the answers.
 * - `sight.ts`: what somebody sees of a fleet. `sessions.ts`: who is signed in, and until when. `cookie.ts`, `certificate.ts`: how they are known again.
 * - `one-time-code.ts`: the link for the person who started the server. `attempts.ts`: nobody gets in by trying.
 */
export { Attempts } from './attempts.ts'
export { type CertificateUser, certificateUser } from './certificate.ts'
export { cookieHeader, readCookie } from './cookie.ts'
export type { Credential, Door } from './door.ts'
export { OneTimeCode } from './one-time-code.ts'
export { type Session, Sessions } from './sessions.ts'
export { everything, type Sight, sightOf } from './sight.ts'
export type { Person } from './sign-in.ts'
