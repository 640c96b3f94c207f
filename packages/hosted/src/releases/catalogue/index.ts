/**
 * Releases from a file: for a laptop, for a place without registries, and for simulations.
 *
 * - `catalogue.ts`: what a catalogue is.
 * - `load.ts`: from YAML to a catalogue; complaints name file, line and field (`fields.ts`).
 * - `streams.ts`: releases that are made up by rule, with digests, images and updates between them. `sample.yaml` is made of those.
 * - `catalogue-resolver.ts`: a resolver that looks nowhere else. `update-graph.ts`: which updates a channel offers.
 */
export type { Catalogue, CatalogueRelease, ConditionalUpdate, Risk } from './catalogue.ts'
export { catalogueResolver } from './catalogue-resolver.ts'
export { InvalidCatalogueError } from './fields.ts'
export { loadCatalogue, parseCatalogue, sampleCatalogue } from './load.ts'
export { updateGraph } from './update-graph.ts'
export type { GraphQuery, UpdateGraph } from './update-graph.ts'
