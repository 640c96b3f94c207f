/**
 * Which objects a list or watch wants.
 *
 * - `label-selector.ts`: `zone in (a,b),!old` from a query, or `matchLabels`/`matchExpressions` from an object's field. The text is
 *   read by `label-lexer.ts` and `label-parser.ts`; `label-requirement.ts` is one condition.
 * - `field-selector.ts`: `metadata.name=a,spec.color!=red`, for the fields a type allows; `field-parser.ts` reads the text.
 */
export { parseFieldSelector } from './field-parser.ts'
export type { FieldRequirement } from './field-parser.ts'
export { fieldSelector } from './field-selector.ts'
export type { FieldSelector } from './field-selector.ts'
export type { LabelOperator, LabelRequirement } from './label-requirement.ts'
export { everything, labelSelectorFromObject, nothing, parseLabelSelector } from './label-selector.ts'
export type { LabelSelector } from './label-selector.ts'
