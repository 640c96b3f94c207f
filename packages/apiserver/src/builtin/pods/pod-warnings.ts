import type { JsonObject } from '../../json.ts'
import { metadataOf, numberIn, objectIn, objectsIn, specOf, textIn } from '../tree.ts'

/** Things in a Pod that work, but not as their author thinks. */

const uselessAnnotations: readonly (readonly [annotation: string, advice: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['seccomp.security.alpha.kubernetes.io/pod', 'non-functional in v1.27+; use the "seccompProfile" field instead'],
]

const goneVolumes: readonly (readonly [source: string, advice: string])[] = [
  ['gitRepo', 'deprecated in v1.11'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
]

export function podWarnings(object: JsonObject): readonly string[] {
  return [...annotationWarnings(metadataOf(object), 'metadata'), ...specWarnings(specOf(object), 'spec')]
}

/** The same for what makes Pods from a template. */
export function podTemplateWarnings(template: JsonObject, field: string): readonly string[] {
  return [...annotationWarnings(objectIn(template.metadata), `${field}.metadata`), ...specWarnings(specOf(template), `${field}.spec`)]
}

function annotationWarnings(metadata: JsonObject, field: string): readonly string[] {
  const annotations = objectIn(metadata.annotations)
  return uselessAnnotations
    .filter(([name]) => Object.hasOwn(annotations, name))
    .map(([name, advice]) => `${field}.annotations[${name}]: ${advice}`)
}

function specWarnings(spec: JsonObject, field: string): readonly string[] {
  const volumes = objectsIn(spec.volumes).flatMap((volume, index) =>
    goneVolumes
      .filter(([source]) => volume[source] !== undefined)
      .map(([source, advice]) => `${field}.volumes[${index}].${source}: ${advice}`),
  )
  const containers = ['initContainers', 'containers'].flatMap((list) =>
    objectsIn(spec[list]).flatMap((container, index) => containerWarnings(container, `${field}.${list}[${index}]`)),
  )
  return [...volumes, ...containers]
}

function containerWarnings(container: JsonObject, field: string): readonly string[] {
  return [...hiddenVariables(container, field), ...duplicatePorts(container, field)]
}

function hiddenVariables(container: JsonObject, field: string): readonly string[] {
  const seen = new Set<string>()
  return objectsIn(container.env).flatMap(({ name, value }, index) => {
    const text = textIn(name)
    // A variable that refers to itself builds upon the definition before it.
    const hides = seen.has(text) && !textIn(value).includes(`$(${text})`)
    seen.add(text)
    return hides
      ? [`${field}.env[${index}]: hides previous definition of ${JSON.stringify(text)}, which may be dropped when using apply`]
      : []
  })
}

function duplicatePorts(container: JsonObject, field: string): readonly string[] {
  const first = new Map<string, number>()
  return objectsIn(container.ports).flatMap((port, index) => {
    const identity = [numberIn(port.containerPort), numberIn(port.hostPort), textIn(port.hostIP), textIn(port.protocol) || 'TCP'].join('/')
    const before = first.get(identity)
    if (before === undefined) first.set(identity, index)
    return before === undefined ? [] : [`${field}.ports[${index}]: duplicate port definition with ${field}.ports[${before}]`]
  })
}
