import type { ControlPlaneComponent } from '@windlass/api'
import type { ControlPlane } from './control-plane.ts'
import type { LiveNamespace } from './manifest.ts'
import type { Registry } from './registry-of.ts'

/** Everything that one pass over the components of a control plane looks at. */
export interface Observed extends ControlPlane {
  readonly registry: Registry
  /** All ControlPlaneComponents of the namespace, or why they could not be listed. */
  readonly components: readonly ControlPlaneComponent[] | Error
  readonly namespace: LiveNamespace
}
