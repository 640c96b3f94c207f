import type { KubernetesObject, Resource } from '@windlass/api'
import { replace } from '../effects/effect.ts'
import { look } from '../observed/look.ts'
import { hasDone } from '../upgrade-config/conditions.ts'
import { desiredVersion } from '../upgrade-config/history.ts'
import { failed, type Step, stepDone } from './step.ts'

/** What the File Integrity Operator checks. We may get and update it, and nothing else. */
export const FileIntegrity: Resource = {
  group: 'fileintegrity.openshift.io',
  version: 'v1alpha1',
  apiVersion: 'fileintegrity.openshift.io/v1alpha1',
  kind: 'FileIntegrity',
  plural: 'fileintegrities',
  scope: 'Namespaced',
  hasStatusSubresource: true,
}

export const fileIntegrityRef = { namespace: 'openshift-file-integrity', name: 'osd-fileintegrity' } as const

const reInit = 'file-integrity.openshift.io/re-init'

/** For which upgrade it was asked for last. Its operator takes the request itself away when it has begun. */
const askedFor = 'windlass.dev/re-init-for'

/**
 * An upgrade changes every file on a node, so the database of their checksums must be made anew. Once: it takes hours. That it was asked for stands beside the
 * request, so that a process that dies before the step is on record does not ask again.
 */
export const fedrampTasks: Step = {
  type: 'PostUpgradeTasksCompleted',
  name: 'FedRAMP tasks',
  decide: ({ config, upgradeConfig, entry, facts }) => {
    if (!config['environment.fedramp'] || hasDone(entry, 'PostUpgradeTasksCompleted')) return stepDone()
    if (facts.fileIntegrity === undefined) return look('fileIntegrity')
    if ('problem' in facts.fileIntegrity) return failed(facts.fileIntegrity.problem)
    const object = facts.fileIntegrity.value
    const upgrade = `${upgradeConfig.metadata.uid ?? ''}/${desiredVersion(upgradeConfig)}`
    if (object.metadata.annotations?.[askedFor] === upgrade) return stepDone()
    return stepDone(replace(FileIntegrity, withRequest(object, upgrade), 'the files of all nodes have changed'))
  },
}

function withRequest(object: KubernetesObject, upgrade: string): KubernetesObject {
  const { metadata } = object
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [reInit]: '', [askedFor]: upgrade } } }
}
