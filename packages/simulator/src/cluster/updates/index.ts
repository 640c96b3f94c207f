/** Which updates a cluster is offered. `graph.ts` is all there is: the graph of a channel, as update services give it, and what follows for one version. */
export {
  type ChannelGraph,
  type ConditionalUpdate,
  type Offer,
  offerTo,
  type Release,
  releaseOf,
  type Risk,
  type UpdateService,
} from './graph.ts'
