import type { JsonObject, MutableObject } from '../../json.ts'
import { change, changeItems, fill, isAbsent, numberIn, objectIn, put, textIn } from '../tree.ts'
import { volumeSources } from './volume-sources.ts'

/** What a Pod, or a template of one, may leave out. */

const noPodSecurity: JsonObject = {}
const fileMode = 0o644

/** Defaults of everything that has a pod template. */
export function completePodTemplate(template: JsonObject): JsonObject {
  return change(template, 'spec', completePodSpec)
}

export function completePodSpec(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: noPodSecurity,
    schedulerName: 'default-scheduler',
  })
  const accounted = sameAccount(filled)
  const contained = ['initContainers', 'containers', 'ephemeralContainers'].reduce(
    (each, list) => changeItems(each, list, completeContainer),
    accounted,
  )
  return changeItems(contained, 'volumes', completeVolume)
}

/** Defaults that only Pods have: their templates show what was written. */
export function completePod(object: JsonObject): JsonObject {
  return change(change(object, 'spec', completeRunningSpec), 'status', sameAddress)
}

function completeRunningSpec(spec: JsonObject): JsonObject {
  const complete = ['initContainers', 'containers'].reduce(
    (each, list) => changeItems(each, list, requestLimits),
    fill(completePodSpec(spec), { enableServiceLinks: true }),
  )
  if (complete.hostNetwork !== true) return complete
  return ['initContainers', 'containers'].reduce(
    (each, list) => changeItems(each, list, (container) => changeItems(container, 'ports', onHost)),
    complete,
  )
}

/** The older of two fields for the same thing follows the newer one. */
function sameAccount(spec: JsonObject): JsonObject {
  const name = textIn(spec.serviceAccountName) || textIn(spec.serviceAccount)
  return name === '' ? spec : put(put(spec, 'serviceAccountName', name), 'serviceAccount', name)
}

function sameAddress(status: JsonObject): JsonObject {
  const { podIP, podIPs } = status
  if (!isAbsent(podIP) && isAbsent(podIPs)) return put(status, 'podIPs', [{ ip: podIP }])
  const first = Array.isArray(podIPs) ? objectIn(podIPs[0]).ip : undefined
  return isAbsent(podIP) && !isAbsent(first) ? put(status, 'podIP', first) : status
}

function completeContainer(container: JsonObject): JsonObject {
  const filled = fill(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(textIn(container.image)),
  })
  const probed = ['livenessProbe', 'readinessProbe', 'startupProbe'].reduce((each, probe) => change(each, probe, completeProbe), filled)
  const hooked = change(probed, 'lifecycle', (lifecycle) =>
    ['postStart', 'preStop'].reduce((each, hook) => change(each, hook, completeHandler), lifecycle),
  )
  const sourced = changeItems(hooked, 'env', (variable) =>
    change(variable, 'valueFrom', (source) => change(source, 'fieldRef', completeFieldRef)),
  )
  return change(sourced, 'resources', roundedResources)
}

/** An image that may move is fetched anew for every start. */
export function pullPolicy(image: string): 'Always' | 'IfNotPresent' {
  const afterPath = image.slice(image.lastIndexOf('/') + 1)
  if (afterPath.includes('@')) return 'IfNotPresent'
  const [, tag = 'latest'] = afterPath.split(':')
  return tag === 'latest' ? 'Always' : 'IfNotPresent'
}

function completeProbe(probe: JsonObject): JsonObject {
  return fill(completeHandler(probe), { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })
}

function completeHandler(handler: JsonObject): JsonObject {
  return change(handler, 'httpGet', (request) => fill(request, { path: '/', scheme: 'HTTP' }))
}

const completeFieldRef = (reference: JsonObject): JsonObject => fill(reference, { apiVersion: 'v1' })

/** Amounts finer than a thousandth are rounded up where containers use them. */
function roundedResources(resources: JsonObject): JsonObject {
  return ['limits', 'requests'].reduce((each, list) => change(each, list, roundedAmounts), resources)
}

function roundedAmounts(amounts: JsonObject): JsonObject {
  let result: MutableObject | undefined
  for (const name in amounts) {
    const fine = /^(-?\d+)([nu])$/.exec(textIn(amounts[name]))
    if (fine === null) continue
    const perMilli = fine[2] === 'n' ? 1_000_000n : 1000n
    const value = BigInt(fine[1] ?? '0')
    result ??= { ...amounts }
    result[name] = `${(value + (value > 0n ? perMilli - 1n : 0n)) / perMilli}m`
  }
  return result ?? amounts
}

/** Who names a limit and no request requests the limit. */
function requestLimits(container: JsonObject): JsonObject {
  return change(container, 'resources', (resources) => {
    const limits = objectIn(resources.limits)
    if (Object.keys(limits).length === 0) return resources
    return put(resources, 'requests', fill(objectIn(resources.requests), limits))
  })
}

const onHost = (port: JsonObject): JsonObject =>
  numberIn(port.hostPort) === 0 ? put(port, 'hostPort', numberIn(port.containerPort)) : port

function completeVolume(volume: JsonObject): JsonObject {
  if (!volumeSources.some((source) => !isAbsent(volume[source]))) return put(volume, 'emptyDir', {})
  const moded = ['configMap', 'secret', 'downwardAPI', 'projected'].reduce(
    (each, source) => change(each, source, (inner) => fill(inner, { defaultMode: fileMode })),
    volume,
  )
  const typed = change(moded, 'hostPath', (source) => fill(source, { type: '' }))
  const imaged = change(typed, 'image', (source) => fill(source, { pullPolicy: pullPolicy(textIn(source.reference)) }))
  const claimed = change(imaged, 'ephemeral', (source) =>
    change(source, 'volumeClaimTemplate', (claim) => change(claim, 'spec', (spec) => fill(spec, { volumeMode: 'Filesystem' }))),
  )
  const projected = change(claimed, 'projected', (source) => changeItems(source, 'sources', completeProjection))
  return change(projected, 'downwardAPI', withFieldRefs)
}

function completeProjection(projection: JsonObject): JsonObject {
  const timed = change(projection, 'serviceAccountToken', (token) => fill(token, { expirationSeconds: 3600 }))
  return change(timed, 'downwardAPI', withFieldRefs)
}

function withFieldRefs(source: JsonObject): JsonObject {
  return changeItems(source, 'items', (item) => change(item, 'fieldRef', completeFieldRef))
}
