import { ownDefinitions } from './hosted/story.ts'
import { theStoryOfPools } from './node-pools/story.ts'

theStoryOfPools('node pools', ownDefinitions())
