import { ownDefinitions, theWholeStory } from './hosted/story.ts'

theWholeStory('a hosted cluster', ownDefinitions())
