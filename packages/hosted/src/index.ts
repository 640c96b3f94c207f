/**
 * Hosted clusters.
 *
 * - `releases/`: what a release image is: from a pullspec to version, digest and component images.
 * - `control-plane-version/`: which versions run on the management side.
 * - `components/`: what a control plane consists of, in which order it rolls out, and what each part says of itself.
 */
export * from './control-plane-version/index.ts'
export * from './releases/index.ts'
