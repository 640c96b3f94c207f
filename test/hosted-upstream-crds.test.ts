import { it } from 'node:test'
import { ownDefinitions, theWholeStory } from './hosted/story.ts'
import { definitionsIn, isUpstreamHere, upstreamFolder } from './upstream-crds/definitions.ts'

const title = 'a hosted cluster where the CRDs are those of real clusters'

if (isUpstreamHere) {
  const upstream = definitionsIn(upstreamFolder)
  const names = new Set(upstream.map(({ metadata }) => metadata.name))
  // Kinds that others bring along on real clusters, such as Routes, are still ours.
  theWholeStory(title, [...upstream, ...ownDefinitions().filter(({ metadata }) => !names.has(metadata.name))])
} else {
  it(title, { skip: `${upstreamFolder} is not here` }, () => {})
}
