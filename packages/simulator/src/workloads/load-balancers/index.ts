/**
 * Load balancers: Services that ask for one get an address after a while, always the same for the same name. `decide.ts` is the rule, `controller.ts`
 * what it looks at.
 */
export { loadBalancerController } from './controller.ts'
