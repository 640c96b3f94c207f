import type { JsonObject } from '../../json.ts'
import type { ExtraSubresource, WriteContext } from '../../registry/resource.ts'
import { immutable } from '../checks.ts'
import { podSpec, podStatus } from '../fields/pods.ts'
import { defineKind } from '../kind.ts'
import { fill, itemsIn, numberIn, put, specOf, statusOf, textIn } from '../tree.ts'
import { podColumns } from './pod-columns.ts'
import { completePod } from './pod-defaults.ts'
import { podSpecErrors } from './pod-spec-checks.ts'
import { podSpecChangeErrors } from './pod-update.ts'
import { podWarnings } from './pod-warnings.ts'
import { qualityOfService } from './quality-of-service.ts'

const own = (name: string, kind: string, verbs: readonly string[]): ExtraSubresource => ({ name, group: '', version: 'v1', kind, verbs })

/**
 * As real servers list them. Those that reach into running containers are announced and refused: clients decide by the
 * refusal, not by the list, what to tell their users.
 */
const subresources: readonly ExtraSubresource[] = [
  own('attach', 'PodAttachOptions', ['create', 'get']),
  own('binding', 'Binding', ['create']),
  own('ephemeralcontainers', 'Pod', ['get', 'patch', 'update']),
  { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  own('exec', 'PodExecOptions', ['create', 'get']),
  own('log', 'Pod', ['get']),
  own('portforward', 'PodPortForwardOptions', ['create', 'get']),
  own('proxy', 'PodProxyOptions', ['create', 'delete', 'get', 'patch', 'update']),
  own('resize', 'Pod', ['get', 'patch', 'update']),
]

export const pod = defineKind({
  group: '',
  kind: 'Pod',
  resource: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  fields: { spec: podSpec, status: podStatus },
  hasStatus: true,
  columns: podColumns,
  subresources,
  defaults: completePod,
  behaviour: {
    hasGeneration: true,
    deleteAnswersObject: true,
    prepareForCreate: (object) => put(object, 'status', initialStatus(specOf(object))),
    prepareForUpdate,
    validate: (object, old, { subresource }) => {
      if (subresource === 'status')
        return old === undefined ? [] : immutable(statusOf(object).qosClass, statusOf(old).qosClass, 'status.qosClass')
      // Subresources such as `/binding` exist to change what the Pod itself keeps.
      const isPlainUpdate = old !== undefined && subresource === ''
      return [...podSpecErrors(specOf(object), 'spec'), ...(isPlainUpdate ? podSpecChangeErrors(specOf(object), specOf(old)) : [])]
    },
    warnings: podWarnings,
    fieldLabelNames: Object.keys(fieldLabels({})),
    fieldLabels,
    gracePeriod,
  },
})

/** A binding changes the spec like any other write to the Pod; `/status` and the rest of the object keep out of each other's way. */
function prepareForUpdate(object: JsonObject, old: JsonObject, { subresource }: WriteContext): JsonObject {
  if (subresource !== 'status') return put(object, 'status', old.status)
  const kept = put(object, 'spec', old.spec)
  return put(kept, 'status', fill(statusOf(kept), { qosClass: textIn(statusOf(old).qosClass) }))
}

function initialStatus(spec: JsonObject): JsonObject {
  const status = { phase: 'Pending', qosClass: qualityOfService(spec) }
  if (itemsIn(spec.schedulingGates).length === 0) return status
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
  return { ...status, conditions: [gated] }
}

/** A Pod that nobody started, or that has ended, needs no time to end. */
function gracePeriod(object: JsonObject, requested: number | undefined): number {
  const [spec, { phase }] = [specOf(object), statusOf(object)]
  if (textIn(spec.nodeName) === '' || phase === 'Succeeded' || phase === 'Failed') return 0
  const seconds = requested ?? numberIn(spec.terminationGracePeriodSeconds)
  return seconds < 0 ? 1 : seconds
}

function fieldLabels(object: JsonObject): Readonly<Record<string, string>> {
  const [spec, status] = [specOf(object), statusOf(object)]
  return {
    'spec.nodeName': textIn(spec.nodeName),
    'spec.restartPolicy': textIn(spec.restartPolicy),
    'spec.schedulerName': textIn(spec.schedulerName),
    'spec.serviceAccountName': textIn(spec.serviceAccountName),
    'spec.hostNetwork': String(spec.hostNetwork === true),
    'status.phase': textIn(status.phase),
    'status.podIP': textIn(status.podIP),
    'status.nominatedNodeName': textIn(status.nominatedNodeName),
  }
}
