/**
 * What is said about an update.
 *
 * - `compat`: how far it is, as the first controller of these insights said it, and nothing about its health.
 * - `extended`: also how well it goes, what is wrong, and estimates that are kept fresh. What is not part of the release does not count.
 */
export const insightModes = ['compat', 'extended'] as const
export type InsightMode = (typeof insightModes)[number]
