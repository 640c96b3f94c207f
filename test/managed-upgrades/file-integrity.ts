import { setTimeout as sleep } from 'node:timers/promises'
import { CustomResourceDefinition, Namespace } from '@windlass/api'
import type { Client } from '@windlass/kube'
import { FileIntegrity, fileIntegrityRef } from '../../packages/upgrades/src/steps/index.ts'
import { until } from '../support/until.ts'

const reInit = 'file-integrity.openshift.io/re-init'

/** What the operator of file integrity does about a cluster: makes its database anew when it is asked to, and takes the question away. */
export interface FileIntegrityOperator {
  /** How often it was asked. */
  readonly reInits: number
  stop(): Promise<void>
}

export async function startFileIntegrity(client: Client): Promise<FileIntegrityOperator> {
  const { group, version, kind, plural, scope } = FileIntegrity
  const schema = { openAPIV3Schema: { type: 'object' as const, 'x-kubernetes-preserve-unknown-fields': true } }
  await client.create(CustomResourceDefinition, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
    },
  })
  await client.create(Namespace, { metadata: { name: fileIntegrityRef.namespace } })
  await until('FileIntegrity to be served', () =>
    client.create(FileIntegrity, { metadata: { ...fileIntegrityRef, annotations: { theirs: 'kept' } } }).then(
      () => true,
      () => false,
    ),
  )
  let reInits = 0
  const stop = new AbortController()
  const watch = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const { metadata } = await client.get(FileIntegrity, fileIntegrityRef)
      if (metadata.annotations?.[reInit] !== undefined) {
        reInits++
        await client.patch(FileIntegrity, fileIntegrityRef, { metadata: { annotations: { [reInit]: null } } })
      }
      await sleep(100)
    }
  }
  const watching = watch()
  return {
    get reInits() {
      return reInits
    },
    async stop() {
      stop.abort()
      await watching
    },
  }
}
