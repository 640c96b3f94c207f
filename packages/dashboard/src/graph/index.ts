/** Components as a picture of who waits for whom: `layers.ts` says what comes before what, `layout.ts` where it is drawn. */
export { layersOf } from './layers.ts'
export type { Edge, Layered } from './layers.ts'
export { layoutOf, usualMeasures } from './layout.ts'
export type { GraphLayout, Measures, PlacedEdge, PlacedGroup, PlacedNode } from './layout.ts'
