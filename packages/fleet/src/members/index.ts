/**
 * The Kubernetes APIs that a fleet is read from.
 *
 * - `source.ts`: where a member comes from. `kubeconfig.ts`: one for each context.
 * - `member.ts`: one of them, from connecting to it until it is left: Connecting, Synced, Unreachable. `problem.ts`: why, in a sentence.
 * - `kinds.ts`: what is read, and what is kept of it. `feeds.ts`: the caches.
 */
export { Feeds } from './feeds.ts'
export * from './kinds.ts'
export { type KubeconfigMembersOptions, memberName, membersByContext } from './kubeconfig.ts'
export { Member, type MemberOptions } from './member.ts'
export type { MemberSource } from './source.ts'
