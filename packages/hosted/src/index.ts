/**
 * Hosted clusters.
 *
 * - `releases/`: what a release image is: from a pullspec to version, digest and component images.
 */
export * from './releases/index.ts'
