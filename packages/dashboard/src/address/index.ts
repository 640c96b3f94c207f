/**
 * Addresses: everything that a page shows is in its address, so that it can be sent to a colleague and gone back to.
 *
 * - `route.ts`: the path: which page.
 * - `fleet-query.ts`, `exposure-query.ts`: what is after the question mark: filter, order, search.
 */
export { clusterApiPath, clusterPath, idOf, partsOf, partsOfId, routeOf } from './route.ts'
export type { ClusterParts, Route } from './route.ts'
export { columns, isFiltered, readFleetQuery, sides, wholeFleet, writeFleetQuery } from './fleet-query.ts'
export type { Column, FleetQuery, Side, VersionFilter } from './fleet-query.ts'
export { readExposureQuery, writeExposureQuery } from './exposure-query.ts'
export type { ExposureQuery } from './exposure-query.ts'
