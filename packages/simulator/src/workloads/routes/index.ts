/** Routes: each is taken by a router after a while, with the host it asks for or one of its own. `decide.ts` is the rule, `controller.ts` what it looks at. */
export { routeController } from './controller.ts'
