import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '../json.ts'
import { compileSchema } from './index.ts'
import { defaultedSchema } from './recorded/defaulted-schema.ts'
import { causeText, objectWith } from './recorded/object.ts'

const compiled = compileSchema(defaultedSchema)
const causes = (embedded: Json): readonly string[] => compiled.validate(objectWith({ embedded })).errors.map(causeText)
const malformed = (embedded: Json): string | undefined => {
  const found = compiled.malformedEmbedded(objectWith({ embedded }))
  return found === undefined ? undefined : causeText(found)
}

describe('PD-020 embedded resources', () => {
  it('need an apiVersion and a kind', () => {
    assert.deepEqual(causes({}), [
      'Required spec.embedded.apiVersion: Required value: must not be empty',
      'Required spec.embedded.kind: Required value: must not be empty',
    ])
    assert.deepEqual(causes({ apiVersion: 'v1', kind: 'Pod' }), [])
  })

  it('may have names that their own kind would refuse', () => {
    assert.deepEqual(causes({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'Bad_Name' } }), [])
    assert.deepEqual(causes({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } }), [
      `Invalid spec.embedded.metadata.name: Invalid value: "a/b": may not contain '/'`,
    ])
  })

  it('have versions and kinds that look like such', () => {
    const dns =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
    assert.deepEqual(causes({ apiVersion: 'a/b/c', kind: 'po d' }), [
      'Invalid spec.embedded.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      `Invalid spec.embedded.kind: Invalid value: "po d": may have mixed case, but should otherwise match: ${dns}`,
    ])
  })

  it('that cannot be decoded are told apart', () => {
    assert.match(
      malformed({ apiVersion: 'v1', kind: 'Pod', metadata: 'x' }) ?? '',
      /^Invalid spec\.embedded\.metadata: Invalid value: "x": json: /,
    )
    assert.equal(malformed({ apiVersion: 3, kind: 'Pod' }), 'Invalid spec.embedded.apiVersion: Invalid value: 3: must be a string')
    assert.equal(malformed({ apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } } }), undefined)
  })
})
