/**
 * A whole fleet on a laptop: what `windlass up` runs beside the server.
 *
 * - `run.ts`: our controllers, the simulator and the fleet, in the process of the server. `in-process.ts`: their way to it. `names.ts`: DNS, where there is none.
 * - `sample-fleet.ts`: which clusters there are. `fleet-objects.ts`, `sample-releases.ts`: the objects that ask for them. `make-fleet.ts`, `create-once.ts`: makes them, once.
 * - `fleet-story.ts`: what people do to them. `pool-story.ts`: the same for their nodes.
 * - `heap-room.ts`: memory for many clusters.
 * - `classic/`: a classic cluster beside them, with a managed upgrade.
 */
export { type LaptopOptions, type LaptopParts, runLaptop } from './run.ts'
export { type SampleCluster, sampleFleet, usualSize } from './sample-fleet.ts'
