/**
 * What machines are made from, on each platform.
 *
 * - `template.ts`: the kinds. `target-template.ts`: the template of a pool, its name, and what becomes of old ones. `adopted-template.ts`: the one that a pool
 *   came with.
 * - `aws.ts`, `azure.ts`, `kubevirt.ts`, `other-platforms.ts`: from what a pool says to what the provider wants; `making.ts` is what they have in common.
 */
export { adoptedTemplate, adoptedTemplateMarks } from './adopted-template.ts'
export { isSpotPool, resourceTagConflicts, resourceTags, runningMachineTags } from './aws.ts'
export { kindOfTemplate, type MachineTemplate, type TemplateKind, templateKinds } from './template.ts'
export { type TargetTemplate, targetTemplate, templateActions, templateGarbage, type TemplateOutcome } from './target-template.ts'
