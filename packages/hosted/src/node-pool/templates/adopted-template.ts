import type { NodePool } from '@windlass/api'
import { hashOf } from '../../components/hash.ts'
import { ownMachineSetOf, type Seen } from '../seen.ts'
import { PoolAnnotation } from '../wire.ts'
import type { MachineTemplate } from './template.ts'

/**
 * The template that machines of an adopted pool stay with; undefined when there is none, or when the pool asks for other machines by now.
 *
 * Another controller says the same of a machine in other words, and which words no rule can know: to compare templates would make machines anew that
 * nobody wants anew. What is compared instead is what the pool said when it was adopted and says now.
 */
export function adoptedTemplate(seen: Seen): MachineTemplate | undefined {
  const { pool, templates } = seen
  const target = seen.target()
  if (target.is === 'failed' || 'deferred' in target.value || target.value.adoption.is !== 'adopted') return undefined
  const { [PoolAnnotation.adoptedTemplate]: name, [PoolAnnotation.adoptedPlatform]: platform } = pool.metadata.annotations ?? {}
  const kept = target.value.adoption.isNew ? referencedTemplate(seen) : platform === platformDigest(pool) ? name : undefined
  return kept === undefined ? undefined : templates.find(({ metadata }) => metadata.name === kept)
}

/** What is written on a pool that is adopted in this pass, about its template. */
export function adoptedTemplateMarks(seen: Seen): Readonly<Record<string, string>> {
  const name = referencedTemplate(seen)
  if (name === undefined) return {}
  return { [PoolAnnotation.adoptedTemplate]: name, [PoolAnnotation.adoptedPlatform]: platformDigest(seen.pool) }
}

/** The name of the template that machines are made from now. */
export function referencedTemplate(seen: Pick<Seen, 'machineDeployment' | 'machineSets' | 'pool'>): string | undefined {
  const { template } = seen.machineDeployment?.spec ?? ownMachineSetOf(seen)?.spec ?? {}
  return template?.spec?.infrastructureRef.name
}

/** All that a pool says of its machines, but for tags: those are changed on machines that run. */
function platformDigest({ metadata: { annotations }, spec: { platform } }: NodePool): string {
  const aws = platform.aws === undefined ? undefined : { ...platform.aws, resourceTags: undefined }
  return hashOf({ platform: { ...platform, aws }, metadataTokens: annotations?.[PoolAnnotation.metadataTokens] })
}
