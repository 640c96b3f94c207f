/**
 * Whether an UpgradeConfig asks for something that can be had.
 *
 * - `validate.ts`: the checks, in order. `graph.ts`: what the update service offers. `pullspec.ts`: release images, and where their version is written.
 */
export { graphUrl, isReachable, type UpdateGraph } from './graph.ts'
export {
  acceptedManifests,
  blobUrl,
  manifestUrl,
  type ManifestStep,
  parsePullspec,
  type Pullspec,
  readManifest,
  versionLabel,
} from './pullspec.ts'
export { validate, type Validation, type ValidationView } from './validate.ts'
