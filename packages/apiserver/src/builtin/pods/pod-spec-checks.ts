import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import { labelValueProblems } from '../../registry/names.ts'
import { dnsLabel, dnsSubdomain, labelSet, oneOf, oneOfIfSet, qualifiedName } from '../checks.ts'
import { isAbsent, itemsIn, numberIn, objectIn, objectsIn, textIn } from '../tree.ts'
import { containersErrors, initContainersErrors } from './container-checks.ts'
import { volumeSources } from './volume-sources.ts'

/** What is wrong with a Pod, in the order in which a real server looks. */
export function podSpecErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const { errors: volumeErrors, names: volumes } = checkVolumes(objectsIn(spec.volumes), `${field}.volumes`)
  const regular = objectsIn(spec.containers).map(({ name }) => textIn(name))
  return [
    ...volumeErrors,
    ...containersErrors(spec.containers, `${field}.containers`, { volumes }),
    ...initContainersErrors(spec.initContainers, regular, `${field}.initContainers`, { volumes }),
    ...oneOf(spec.restartPolicy, `${field}.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...oneOf(spec.dnsPolicy, `${field}.dnsPolicy`, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...labelSet(spec.nodeSelector, `${field}.nodeSelector`),
    ...spreadErrors(spec.topologySpreadConstraints, `${field}.topologySpreadConstraints`),
    ...subdomainField(spec, 'serviceAccountName', field),
    ...subdomainField(spec, 'nodeName', field),
    ...deadlineErrors(spec.activeDeadlineSeconds, `${field}.activeDeadlineSeconds`),
    ...labelField(spec, 'hostname', field),
    ...labelField(spec, 'subdomain', field),
    ...tolerationErrors(spec.tolerations, `${field}.tolerations`),
    ...subdomainField(spec, 'priorityClassName', field),
    ...oneOfIfSet(spec.preemptionPolicy, `${field}.preemptionPolicy`, ['PreemptLowerPriority', 'Never']),
  ]
}

/** The same for templates of Pods. */
export function podTemplateErrors(template: JsonObject, field: string): readonly FieldError[] {
  const metadata = objectIn(template.metadata)
  const spec = objectIn(template.spec)
  const debugging =
    itemsIn(spec.ephemeralContainers).length === 0
      ? []
      : [forbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
  return [...labelSet(metadata.labels, `${field}.labels`), ...podSpecErrors(spec, `${field}.spec`), ...debugging]
}

function subdomainField(spec: JsonObject, name: string, field: string): readonly FieldError[] {
  return textIn(spec[name]) === '' ? [] : dnsSubdomain(textIn(spec[name]), `${field}.${name}`)
}

function labelField(spec: JsonObject, name: string, field: string): readonly FieldError[] {
  return textIn(spec[name]) === '' ? [] : dnsLabel(textIn(spec[name]), `${field}.${name}`)
}

const mostSeconds = 2 ** 31 - 1

function deadlineErrors(seconds: Json | undefined, field: string): readonly FieldError[] {
  if (isAbsent(seconds)) return []
  const value = numberIn(seconds)
  return value >= 1 && value <= mostSeconds ? [] : [invalid(field, seconds, `must be between 1 and ${mostSeconds}, inclusive`)]
}

/** Volumes with faults are not there for the containers that mount them. */
function checkVolumes(
  volumes: readonly JsonObject[],
  field: string,
): { readonly errors: readonly FieldError[]; readonly names: ReadonlySet<string> } {
  const errors: FieldError[] = []
  const names = new Set<string>()
  for (const [index, volume] of volumes.entries()) {
    const place = `${field}[${index}]`
    const name = textIn(volume.name)
    const found = [
      ...sourceErrors(volume, place),
      ...(name === '' ? [required(`${place}.name`)] : dnsLabel(name, `${place}.name`)),
      ...(names.has(name) ? [duplicate(`${place}.name`, name)] : []),
    ]
    if (found.length === 0) names.add(name)
    errors.push(...found)
  }
  return { errors, names }
}

/** The one field without which a source means nothing. */
const essential: Readonly<Record<string, string>> = {
  hostPath: 'path',
  secret: 'secretName',
  configMap: 'name',
  persistentVolumeClaim: 'claimName',
  nfs: 'server',
  csi: 'driver',
}

function sourceErrors(volume: JsonObject, field: string): readonly FieldError[] {
  const [first, ...others] = volumeSources.filter((source) => !isAbsent(volume[source]))
  if (first === undefined) return [required(field, 'must specify a volume type')]
  const needed = essential[first]
  return [
    ...(needed !== undefined && textIn(objectIn(volume[first])[needed]) === '' ? [required(`${field}.${first}.${needed}`)] : []),
    ...others.map((source) => forbidden(`${field}.${source}`, 'may not specify more than 1 volume type')),
  ]
}

function tolerationErrors(tolerations: Json | undefined, field: string): readonly FieldError[] {
  return objectsIn(tolerations).flatMap((toleration, index) => {
    const place = `${field}[${index}]`
    const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((each) => textIn(toleration[each]))
    const errors: FieldError[] = []
    if (key !== undefined && key !== '') errors.push(...qualifiedName(key, `${place}.key`))
    else if (operator !== 'Exists') {
      errors.push(
        invalid(
          `${place}.operator`,
          operator ?? '',
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      )
    }
    if (!isAbsent(toleration.tolerationSeconds) && effect !== 'NoExecute') {
      errors.push(invalid(`${place}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"))
    }
    if (operator === 'Equal' || operator === '')
      errors.push(...labelValueProblems(value ?? '').map((problem) => invalid(`${place}.operator`, value ?? '', problem)))
    else if (operator !== 'Exists') errors.push(notSupported(`${place}.operator`, operator ?? '', ['Equal', 'Exists']))
    else if (value !== '') errors.push(invalid(`${place}.operator`, value ?? '', "value must be empty when `operator` is 'Exists'"))
    return effect === '' ? errors : [...errors, ...oneOf(effect, `${place}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])]
  })
}

function spreadErrors(constraints: Json | undefined, field: string): readonly FieldError[] {
  return objectsIn(constraints).flatMap((constraint, index) => {
    const place = `${field}[${index}]`
    const skew = numberIn(constraint.maxSkew)
    return [
      ...(skew > 0 ? [] : [invalid(`${place}.maxSkew`, skew, 'must be greater than zero')]),
      ...(textIn(constraint.topologyKey) === '' ? [required(`${place}.topologyKey`, 'can not be empty')] : []),
      ...oneOfIfSet(constraint.whenUnsatisfiable, `${place}.whenUnsatisfiable`, ['DoNotSchedule', 'ScheduleAnyway']),
    ]
  })
}
