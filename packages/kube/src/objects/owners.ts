import type { KubernetesObject, ObjectMeta, OwnerReference } from '@windlass/api'
import { equalJson } from './equal.ts'

interface Owned {
  readonly metadata: ObjectMeta
}

/** The one owner that looks after the object. */
export function controllerOf({ metadata }: Owned): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)
}

/** By uid: an owner that was deleted and made again under the same name is another one. */
export function isOwnedBy({ metadata }: Owned, owner: Owned): boolean {
  const { uid } = owner.metadata
  return uid !== undefined && metadata.ownerReferences?.some((reference) => reference.uid === uid) === true
}

/**
 * The object with `owner` as its controller: it goes when the owner goes, and its changes are the owner's business (`owns`). The same object when it is so already.
 *
 * Errors: throws when another controller has it, or when the owner is in another namespace; garbage collection would delete such an object.
 */
export function setControllerReference<T extends Owned>(object: T, owner: KubernetesObject): T {
  const { ownerReferences = [] } = object.metadata
  const reference = referenceTo(owner, object)
  const other = controllerOf(object)
  if (other !== undefined && other.uid !== reference.uid) {
    throw new Error(
      `${nameOf(object)} is controlled by ${other.kind} ${other.name} and cannot be by ${owner.kind} ${reference.name} too: an object has one controller`,
    )
  }
  const index = ownerReferences.findIndex(({ uid }) => uid === reference.uid)
  if (equalJson(ownerReferences[index], reference)) return object
  const references = index < 0 ? [...ownerReferences, reference] : ownerReferences.with(index, reference)
  return { ...object, metadata: { ...object.metadata, ownerReferences: references } }
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject, object: Owned): OwnerReference {
  const { name, uid, namespace } = metadata
  if (name === undefined || uid === undefined) {
    throw new Error(
      `${kind} ${name ?? '(no name)'} cannot own ${nameOf(object)}: it has no uid, so it was never stored; use the object that the server returned`,
    )
  }
  if (namespace !== undefined && namespace !== object.metadata.namespace) {
    throw new Error(
      `${kind} ${namespace}/${name} cannot own ${nameOf(object)}: an owner with a namespace owns objects of that namespace only; mark it with a label instead`,
    )
  }
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

function nameOf({ metadata: { namespace, name = '(no name)' } }: Owned): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}
