import type { KubernetesObject, Resource } from '@windlass/api'
import { replace } from '../effects/effect.ts'
import { look } from '../observed/look.ts'
import { hasDone } from '../upgrade-config/conditions.ts'
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

/** An upgrade changes every file on a node, so the database of their checksums must be made anew. Once: it takes hours. */
export const fedrampTasks: Step = {
  type: 'PostUpgradeTasksCompleted',
  name: 'FedRAMP tasks',
  decide: ({ config, entry, facts }) => {
    if (!config['environment.fedramp'] || hasDone(entry, 'PostUpgradeTasksCompleted')) return stepDone()
    if (facts.fileIntegrity === undefined) return look('fileIntegrity')
    if ('problem' in facts.fileIntegrity) return failed(facts.fileIntegrity.problem)
    return stepDone(replace(FileIntegrity, withReInit(facts.fileIntegrity.value), 'the files of all nodes have changed'))
  },
}

function withReInit(object: KubernetesObject): KubernetesObject {
  const { metadata } = object
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [reInit]: '' } } }
}
