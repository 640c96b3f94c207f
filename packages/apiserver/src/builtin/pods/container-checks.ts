import { duplicate, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import { dnsLabel, nonNegative, oneOf, oneOfIfSet, portName, portNumber, portNumberOrName, protocols, qualifiedName } from '../checks.ts'
import { compareQuantities, isNegativeQuantity, isWholeQuantity } from '../dsl/index.ts'
import { isAbsent, numberIn, objectIn, objectsIn, textIn } from '../tree.ts'

/** What is wrong with the containers of a Pod. */

interface Surroundings {
  readonly volumes: ReadonlySet<string>
}

export function containersErrors(containers: Json | undefined, field: string, around: Surroundings): readonly FieldError[] {
  const all = objectsIn(containers)
  if (all.length === 0) return [required(field)]
  const names = new Set<string>()
  const own = all.flatMap((container, index) => {
    const place = `${field}[${index}]`
    const name = textIn(container.name)
    const again = names.has(name) ? [duplicate(`${place}.name`, name)] : []
    names.add(name)
    return [
      ...containerErrors(container, place, around),
      ...again,
      ...lifecycleErrors(container.lifecycle, `${place}.lifecycle`),
      ...probeErrors(container, place),
      ...(isAbsent(container.restartPolicy) ? [] : [forbidden(`${place}.restartPolicy`, 'may not be set for non-init containers')]),
    ]
  })
  return [...own, ...hostPortConflicts(all, field)]
}

export function initContainersErrors(
  containers: Json | undefined,
  taken: readonly string[],
  field: string,
  around: Surroundings,
): readonly FieldError[] {
  const names = new Set(taken)
  return objectsIn(containers).flatMap((container, index) => {
    const place = `${field}[${index}]`
    const name = textIn(container.name)
    const again = names.has(name) ? [duplicate(`${place}.name`, name)] : []
    names.add(name)
    const restart = oneOfIfSet(container.restartPolicy, `${place}.restartPolicy`, ['Always'])
    const isSidecar = container.restartPolicy === 'Always'
    const watched = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'].filter((each) => !isAbsent(container[each]))
    const probes = isSidecar
      ? [...lifecycleErrors(container.lifecycle, `${place}.lifecycle`), ...probeErrors(container, place)]
      : watched.map((each) => forbidden(`${place}.${each}`, 'may not be set for init containers without restartPolicy=Always'))
    return [...containerErrors(container, place, around), ...restart, ...again, ...probes]
  })
}

function containerErrors(container: JsonObject, field: string, { volumes }: Surroundings): readonly FieldError[] {
  const name = textIn(container.name)
  return [
    ...(name === '' ? [required(`${field}.name`)] : dnsLabel(name, `${field}.name`)),
    ...(textIn(container.image) === '' ? [required(`${field}.image`)] : []),
    ...oneOf(container.terminationMessagePolicy, `${field}.terminationMessagePolicy`, ['File', 'FallbackToLogsOnError']),
    ...portsErrors(container.ports, `${field}.ports`),
    ...envErrors(container.env, `${field}.env`),
    ...mountErrors(container.volumeMounts, `${field}.volumeMounts`, volumes),
    ...oneOf(container.imagePullPolicy, `${field}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never']),
    ...resourceErrors(objectIn(container.resources), `${field}.resources`),
  ]
}

function portsErrors(ports: Json | undefined, field: string): readonly FieldError[] {
  const names = new Set<string>()
  return objectsIn(ports).flatMap((port, index) => {
    const place = `${field}[${index}]`
    const name = textIn(port.name)
    const named = name === '' ? [] : portName(name, `${place}.name`)
    const again = name !== '' && named.length === 0 && names.has(name) ? [duplicate(`${place}.name`, name)] : []
    names.add(name)
    return [
      ...named,
      ...again,
      ...(numberIn(port.containerPort) === 0
        ? [required(`${place}.containerPort`)]
        : portNumber(port.containerPort, `${place}.containerPort`)),
      ...(numberIn(port.hostPort) === 0 ? [] : portNumber(port.hostPort, `${place}.hostPort`)),
      ...oneOf(port.protocol, `${place}.protocol`, protocols),
    ]
  })
}

function hostPortConflicts(containers: readonly JsonObject[], field: string): readonly FieldError[] {
  const taken = new Set<string>()
  return containers.flatMap((container, index) =>
    objectsIn(container.ports).flatMap((port, at) => {
      const hostPort = numberIn(port.hostPort)
      if (hostPort === 0) return []
      const identity = `${textIn(port.protocol)}/${textIn(port.hostIP)}/${hostPort}`
      const errors = taken.has(identity) ? [duplicate(`${field}[${index}].ports[${at}].hostPort`, identity)] : []
      taken.add(identity)
      return errors
    }),
  )
}

const environmentSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef']

function envErrors(env: Json | undefined, field: string): readonly FieldError[] {
  return objectsIn(env).flatMap((variable, index) => {
    const place = `${field}[${index}]`
    const name = textIn(variable.name)
    const named =
      name === ''
        ? [required(`${place}.name`)]
        : /^[ -<>-~]+$/.test(name)
          ? []
          : [
              invalid(
                `${place}.name`,
                name,
                "a valid environment variable name must consist only of printable ASCII characters other than '='",
              ),
            ]
    return [...named, ...valueFromErrors(variable, `${place}.valueFrom`)]
  })
}

function valueFromErrors({ value, valueFrom }: JsonObject, field: string): readonly FieldError[] {
  if (isAbsent(valueFrom)) return []
  const count = environmentSources.filter((source) => !isAbsent(objectIn(valueFrom)[source])).length
  if (count === 0) return [invalid(field, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`')]
  if (textIn(value) !== '') return [invalid(field, '', 'may not be specified when `value` is not empty')]
  return count > 1 ? [invalid(field, '', 'may not have more than one field specified at a time')] : []
}

function mountErrors(mounts: Json | undefined, field: string, volumes: ReadonlySet<string>): readonly FieldError[] {
  const paths = new Set<string>()
  return objectsIn(mounts).flatMap((mount, index) => {
    const place = `${field}[${index}]`
    const [name, path] = [textIn(mount.name), textIn(mount.mountPath)]
    const errors: FieldError[] = []
    if (name === '') errors.push(required(`${place}.name`))
    if (!volumes.has(name)) errors.push({ type: 'NotFound', field: `${place}.name`, value: name, detail: '' })
    if (path === '') errors.push(required(`${place}.mountPath`))
    if (paths.has(path)) errors.push(invalid(`${place}.mountPath`, path, 'must be unique'))
    paths.add(path)
    return errors
  })
}

const standardResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])
const isHugePages = (name: string): boolean => name.startsWith('hugepages-')
/** Resources that nobody can have more of than there is: devices. */
const isExtended = (name: string): boolean => name.includes('/') && !name.startsWith('kubernetes.io/') && !name.includes('.kubernetes.io/')

export function resourceErrors(resources: JsonObject, field: string): readonly FieldError[] {
  const [limits, requests] = [objectIn(resources.limits), objectIn(resources.requests)]
  return [
    ...amountErrors(limits, `${field}.limits`),
    ...amountErrors(requests, `${field}.requests`),
    ...Object.entries(requests).flatMap(([name, amount]) => overcommitErrors(name, textIn(amount), limits[name], field)),
  ]
}

function amountErrors(amounts: JsonObject, field: string): readonly FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const place = `${field}[${name}]`
    const text = textIn(amount)
    const isKnown = name.includes('/') || standardResources.has(name) || isHugePages(name)
    return [
      ...qualifiedName(name, place),
      ...(isKnown ? [] : [invalid(place, name, 'must be a standard resource for containers')]),
      ...(isNegativeQuantity(text) ? [invalid(place, text, 'must be greater than or equal to 0')] : []),
      ...(isExtended(name) && !isWholeQuantity(text) ? [invalid(place, text, 'must be an integer')] : []),
    ]
  })
}

function overcommitErrors(name: string, amount: string, limit: Json | undefined, field: string): readonly FieldError[] {
  const isExact = isExtended(name) || isHugePages(name)
  if (isAbsent(limit)) return isExact ? [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')] : []
  const order = compareQuantities(amount, textIn(limit))
  if (isExact && order !== 0) return [invalid(`${field}.requests`, amount, `must be equal to ${name} limit of ${textIn(limit)}`)]
  return order > 0 ? [invalid(`${field}.requests`, amount, `must be less than or equal to ${name} limit of ${textIn(limit)}`)] : []
}

const probeNumbers = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']

function probeErrors(container: JsonObject, field: string): readonly FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = container[name]
    if (isAbsent(probe)) return []
    const place = `${field}.${name}`
    const { successThreshold, ...rest } = objectIn(probe)
    const once =
      name === 'readinessProbe' || successThreshold === 1
        ? []
        : [invalid(`${place}.successThreshold`, numberIn(successThreshold), 'must be 1')]
    return [...handlerErrors(rest, place), ...nonNegative(objectIn(probe), place, probeNumbers), ...once]
  })
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep']

function handlerErrors(handler: JsonObject, field: string): readonly FieldError[] {
  const [first, ...others] = handlers.filter((each) => !isAbsent(handler[each]))
  if (first === undefined) return [required(field, 'must specify a handler type')]
  const chosen = objectIn(handler[first])
  return [
    ...(first === 'exec' && objectsOrTexts(chosen.command) === 0 ? [required(`${field}.exec.command`)] : []),
    ...(first === 'httpGet' || first === 'tcpSocket' ? portNumberOrName(chosen.port, `${field}.${first}.port`) : []),
    ...(first === 'httpGet' ? oneOf(chosen.scheme, `${field}.httpGet.scheme`, ['HTTP', 'HTTPS']) : []),
    ...(first === 'grpc' ? portNumber(chosen.port, `${field}.grpc.port`) : []),
    ...others.map((each) => forbidden(`${field}.${each}`, 'may not specify more than 1 handler type')),
  ]
}

const objectsOrTexts = (value: Json | undefined): number => (Array.isArray(value) ? value.length : 0)

function lifecycleErrors(lifecycle: Json | undefined, field: string): readonly FieldError[] {
  if (isAbsent(lifecycle)) return []
  return ['postStart', 'preStop'].flatMap((hook) => {
    const handler = objectIn(lifecycle)[hook]
    return isAbsent(handler) ? [] : handlerErrors(objectIn(handler), `${field}.${hook}`)
  })
}
