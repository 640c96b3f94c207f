import type { JsonObject } from './json.ts'
import type { Kind } from './kind.ts'
import type { CrdVersion, CustomResourceDefinition } from './kubernetes/index.ts'
import { toStructural } from './structural.ts'

/** `nodepools.hypershift.openshift.io`: the name of the CRD, and of its file. */
export function crdName({ plural, group }: Pick<Kind, 'plural' | 'group'>): string {
  return `${plural}.${group}`
}

/** The declaration as the object that `kubectl apply` teaches a cluster with. */
export function toCrd(kind: Kind): CustomResourceDefinition {
  const { group, plural, singular, listKind, shortNames, categories, scope, version } = kind
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdName(kind) },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames }),
        ...(categories.length === 0 ? {} : { categories }),
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: rootSchema(kind) },
          ...subresources(kind),
          ...(kind.printerColumns.length === 0 ? {} : { additionalPrinterColumns: kind.printerColumns.map((column) => ({ ...column })) }),
        },
      ],
    },
  }
}

function rootSchema(kind: Kind): JsonObject {
  return {
    type: 'object',
    description: kind.description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: toStructural(kind.spec),
      ...(kind.status === undefined ? {} : { status: toStructural(kind.status) }),
    },
    ...(kind.rules.length === 0 ? {} : { 'x-kubernetes-validations': kind.rules.map((rule) => ({ ...rule })) }),
  }
}

function subresources({ hasStatusSubresource, scale }: Kind): Pick<CrdVersion, 'subresources'> {
  const entries = { ...(hasStatusSubresource ? { status: {} } : {}), ...(scale === undefined ? {} : { scale: { ...scale } }) }
  return Object.keys(entries).length === 0 ? {} : { subresources: entries }
}
