import type { Ref } from '../client/client.ts'

/** What was decided rests on an object as it is no more, or not yet known to be. */
export class StaleView extends Error {
  constructor({ namespace = '', name }: Ref) {
    super(`${namespace === '' ? '' : `${namespace}/`}${name} is not what the cache shows: another process looked after it until now`)
    this.name = 'StaleView'
  }
}
