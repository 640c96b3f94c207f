import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { load } from 'js-yaml'
import { crdName, toCrd } from './crd.ts'
import { HostedCluster, NodePool } from './hypershift/index.ts'
import type { JsonObject } from './json.ts'
import { defineKind } from './kind.ts'
import { allKinds } from './kinds.ts'
import { list, object, optional, text } from './schema/index.ts'
import { NotStructuralError, structuralProblems, toStructural } from './structural.ts'
import { toYaml } from './yaml.ts'

const schemaOf = (kind: (typeof allKinds)[number]): JsonObject => toCrd(kind).spec.versions[0]?.schema.openAPIV3Schema ?? {}

describe('every CRD', () => {
  for (const kind of allKinds) {
    it(`${crdName(kind)} is structural and survives being written as YAML`, () => {
      assert.deepEqual(structuralProblems(schemaOf(kind)), [])
      assert.deepEqual(load(toYaml(toCrd(kind))), toCrd(kind))
    })
  }

  it('has a name of its own', () => {
    assert.equal(new Set(allKinds.map(crdName)).size, allKinds.length)
  })

  it('describes every field that it has', () => {
    const undescribed = (schema: JsonObject, path: string): string[] => [
      ...(schema['description'] === undefined || schema['description'] === '' ? [path] : []),
      ...Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>).flatMap(([name, child]) =>
        undescribed(child, `${path}.${name}`),
      ),
    ]
    for (const kind of allKinds) {
      assert.deepEqual(
        undescribed(schemaOf(kind), kind.kind).filter((path) => !/^\w+\.(apiVersion|kind|metadata)$/.test(path)),
        [],
      )
    }
  })
})

describe('a CRD', () => {
  it('carries what was declared', () => {
    const kind = defineKind({
      group: 'example.com',
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      description: 'A widget.',
      spec: object('The spec.', { size: text('The size.'), colour: optional(text('The colour.', { default: 'red' })) }),
    })
    assert.deepEqual(toCrd(kind), {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                description: 'A widget.',
                required: ['spec'],
                properties: {
                  apiVersion: { type: 'string' },
                  kind: { type: 'string' },
                  metadata: { type: 'object' },
                  spec: {
                    type: 'object',
                    description: 'The spec.',
                    required: ['size'],
                    properties: {
                      size: { type: 'string', description: 'The size.' },
                      colour: { type: 'string', description: 'The colour.', default: 'red' },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    })
  })

  it('of a NodePool can be scaled, that of a HostedCluster cannot', () => {
    assert.deepEqual(toCrd(NodePool).spec.versions[0]?.subresources, {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    })
    assert.deepEqual(toCrd(HostedCluster).spec.versions[0]?.subresources, { status: {} })
  })

  it('is written with sorted keys, the same every time', () => {
    const yaml = toYaml(toCrd(NodePool))
    assert.equal(yaml, toYaml(toCrd(NodePool)))
    assert.match(
      yaml,
      /^# Generated .*\napiVersion: apiextensions\.k8s\.io\/v1\nkind: CustomResourceDefinition\nmetadata:\n {2}name: nodepools/,
    )
  })
})

describe('a schema is refused', () => {
  for (const [why, schema, problem] of [
    ['with a word that CRDs do not have', Type.Object({ a: Type.Literal('x') }), '.a: unknown word const'],
    ['with a union of literals', Type.Object({ a: Type.Union([Type.Literal('x'), Type.Literal('y')]) }), '.a: type is missing'],
    ['without a type', Type.Object({ a: Type.Unsafe({ description: 'x' }) }), '.a: type is missing'],
    [
      'with a key that items may lack',
      list('x', object('x', { k: optional(text('x')) }), { keys: ['k'] }),
      '(root): map key k is neither required nor defaulted',
    ],
    ['with a key that items do not have', list('x', object('x', {}), { keys: ['k'] }), '(root): map key k is not declared'],
    ['with a set of objects', list('x', object('x', {}), { as: 'set' }), '(root): a set holds scalars'],
  ] as const) {
    it(why, () => {
      assert.throws(
        () => toStructural(schema),
        (error) => error instanceof NotStructuralError && error.message.includes(problem),
      )
    })
  }
})
