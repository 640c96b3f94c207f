/**
 * How a machine that starts gets its configuration.
 *
 * - `user-data.ts`: what it is born with says where to ask, and what to show there. `https.ts`: asks.
 */
export { type FetchIgnition, httpsIgnition, type HttpsIgnitionOptions, type IgnitionAnswer } from './https.ts'
export { type IgnitionQuestion, parseUserData } from './user-data.ts'
