/** Tables are for people and may change; the other two are for programs. */
export const outputFormats = ['table', 'json', 'yaml'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** With more columns than fit everywhere. */
export const wideOutputFormats = ['table', 'wide', 'json', 'yaml'] as const
export type WideOutputFormat = (typeof wideOutputFormats)[number]
