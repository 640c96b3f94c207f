import packageJson from '../package.json' with { type: 'json' }

/** Of the whole product: all packages carry the same one. */
export const { version } = packageJson
