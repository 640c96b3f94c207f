/** How a progress insight comes, changes and goes with the object that it is about: the same for all four kinds. */
export { forgotten, published, type Publication } from './decide.ts'
