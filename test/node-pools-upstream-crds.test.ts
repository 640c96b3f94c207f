import { it } from 'node:test'
import { ownDefinitions } from './hosted/story.ts'
import { theStoryOfPools } from './node-pools/story.ts'
import { type Definition, definitionsIn, isUpstreamHere, upstreamFolder } from './upstream-crds/definitions.ts'

const title = 'node pools where the CRDs are those of real clusters'

/**
 * From one version of Cluster API to another objects are converted by a webhook that comes with it. Where it does not run, there is only the version that is
 * spoken.
 */
function spoken(definition: Definition): Definition {
  const { spec } = definition
  if (spec.group !== 'cluster.x-k8s.io') return definition
  const versions = spec.versions.filter(({ name }) => name === 'v1beta1').map((version) => ({ ...version, storage: true }))
  return { ...definition, spec: { ...spec, versions } }
}

if (isUpstreamHere) {
  const upstream = definitionsIn(upstreamFolder)
  const names = new Set(upstream.map(({ metadata }) => metadata.name))
  theStoryOfPools(title, [...upstream.map(spoken), ...ownDefinitions().filter(({ metadata }) => !names.has(metadata.name))])
} else {
  it(title, { skip: `${upstreamFolder} is not here` }, () => {})
}
