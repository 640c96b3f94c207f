import type { PodTemplate, StatefulSet } from '@windlass/api'

/** The template of one Pod: each claim that the set has for its Pods is a volume of it, instead of one of the same name in the template. */
export function withClaims({ spec }: StatefulSet, pod: string): PodTemplate {
  const { template, volumeClaimTemplates = [] } = spec
  if (volumeClaimTemplates.length === 0) return template
  const names = volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? '')
  const others = (template.spec.volumes ?? []).filter(({ name }) => !names.includes(name))
  const claimed = names.map((name) => ({ name, persistentVolumeClaim: { claimName: `${name}-${pod}` } }))
  return { ...template, spec: { ...template.spec, volumes: [...others, ...claimed] } }
}
