import type { HostedControlPlane } from '@windlass/api'
import { annotationOf, unmodelled } from './control-plane.ts'
import { canonicalJson } from './hash.ts'
import type { Settings } from './templates/index.ts'

/** What a component takes from the control plane, as the one entry of its ConfigMap. Fields that are not set are left out. */
export function settingsOf(settings: Settings, hcp: HostedControlPlane): Readonly<Record<string, string>> {
  const fields = settings.fields.map((path) => [path, unmodelled(hcp.spec, ...path.split('.'))] as const)
  const annotations = settings.annotations.map((annotation) => [annotation, annotationOf(hcp, annotation)] as const)
  return { 'settings.json': canonicalJson(Object.fromEntries([...fields, ...annotations])) }
}
