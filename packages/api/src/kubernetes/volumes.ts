import type { ObjectMeta } from '../meta/object-meta.ts'
import type { ResourceRequirements } from './pods.ts'
import type { LocalReference } from './shared.ts'

/** A volume of a Pod: a name and exactly one source. The sources that control planes use are here. */
export interface Volume {
  readonly name: string
  readonly configMap?: ConfigMapSource
  readonly secret?: {
    readonly secretName: string
    readonly items?: readonly KeyToPath[]
    readonly defaultMode?: number
    readonly optional?: boolean
  }
  readonly projected?: { readonly sources: readonly ProjectedSource[]; readonly defaultMode?: number }
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string }
  readonly hostPath?: { readonly path: string; readonly type?: string }
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean }
}

export interface ProjectedSource {
  readonly configMap?: ConfigMapSource
  readonly secret?: LocalReference & { readonly items?: readonly KeyToPath[]; readonly optional?: boolean }
  readonly serviceAccountToken?: { readonly path: string; readonly audience?: string; readonly expirationSeconds?: number }
}

export interface ConfigMapSource extends LocalReference {
  readonly items?: readonly KeyToPath[]
  readonly defaultMode?: number
  readonly optional?: boolean
}

export interface KeyToPath {
  readonly key: string
  readonly path: string
}

/** What a StatefulSet claims for each of its Pods. */
export interface VolumeClaimTemplate {
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly accessModes?: readonly string[]
    readonly storageClassName?: string
    readonly resources?: ResourceRequirements
  }
}
