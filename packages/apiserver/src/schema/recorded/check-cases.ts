import type { JsonObject } from '../../json.ts'

/**
 * What a real server said to specs of the kind `Check`: the cause's type, field and message. `…` stands for what is not compared: how Go
 * prints its structures.
 */
export interface RecordedCase {
  readonly id: string
  readonly title: string
  readonly refused: readonly (readonly [spec: JsonObject, ...causes: string[]])[]
  readonly accepted: readonly JsonObject[]
}

export const recordedCases: readonly RecordedCase[] = [
  {
    id: 'VA-001',
    title: 'type: string',
    refused: [
      [{ str: 5 }, 'TypeInvalid spec.str: Invalid value: "integer": spec.str in body must be of type string: "integer"'],
      [{ str: true }, 'TypeInvalid spec.str: Invalid value: "boolean": spec.str in body must be of type string: "boolean"'],
      [{ str: {} }, 'TypeInvalid spec.str: Invalid value: "object": spec.str in body must be of type string: "object"'],
      [{ str: [] }, 'TypeInvalid spec.str: Invalid value: "array": spec.str in body must be of type string: "array"'],
      [{ str: 1.5 }, 'TypeInvalid spec.str: Invalid value: "number": spec.str in body must be of type string: "number"'],
    ],
    accepted: [{ str: '' }, { str: 'ü' }],
  },
  {
    id: 'VA-002',
    title: 'type: integer',
    refused: [
      [{ int: '5' }, 'TypeInvalid spec.int: Invalid value: "string": spec.int in body must be of type integer: "string"'],
      [{ int: 1.5 }, 'TypeInvalid spec.int: Invalid value: "number": spec.int in body must be of type integer: "number"'],
      [{ int: true }, 'TypeInvalid spec.int: Invalid value: "boolean": spec.int in body must be of type integer: "boolean"'],
    ],
    accepted: [{ int: 0 }, { int: -3 }, { int: 3 }],
  },
  {
    id: 'VA-004',
    title: 'type: boolean',
    refused: [
      [{ bool: 'true' }, 'TypeInvalid spec.bool: Invalid value: "string": spec.bool in body must be of type boolean: "string"'],
      [{ bool: 0 }, 'TypeInvalid spec.bool: Invalid value: "integer": spec.bool in body must be of type boolean: "integer"'],
    ],
    accepted: [{ bool: false }],
  },
  {
    id: 'VA-005',
    title: 'type: object',
    refused: [
      [{ obj: 'x' }, 'TypeInvalid spec.obj: Invalid value: "string": spec.obj in body must be of type object: "string"'],
      [{ obj: [] }, 'TypeInvalid spec.obj: Invalid value: "array": spec.obj in body must be of type object: "array"'],
      [{ obj: 3 }, 'TypeInvalid spec.obj: Invalid value: "integer": spec.obj in body must be of type object: "integer"'],
    ],
    accepted: [{ obj: {} }],
  },
  {
    id: 'VA-006',
    title: 'type: array',
    refused: [
      [{ arr: 'x' }, 'TypeInvalid spec.arr: Invalid value: "string": spec.arr in body must be of type array: "string"'],
      [{ arr: {} }, 'TypeInvalid spec.arr: Invalid value: "object": spec.arr in body must be of type array: "object"'],
    ],
    accepted: [{ arr: [] }],
  },
  {
    id: 'VA-007',
    title: 'type of array elements',
    refused: [
      [{ arr: [1] }, 'TypeInvalid spec.arr[0]: Invalid value: "integer": spec.arr[0] in body must be of type string: "integer"'],
      [
        { arr: ['a', 2, true] },
        'TypeInvalid spec.arr[1]: Invalid value: "integer": spec.arr[1] in body must be of type string: "integer"',
        'TypeInvalid spec.arr[2]: Invalid value: "boolean": spec.arr[2] in body must be of type string: "boolean"',
      ],
      [{ arr: [null] }, 'TypeInvalid spec.arr[0]: Invalid value: "null": spec.arr[0] in body must be of type string: "null"'],
    ],
    accepted: [{ arr: ['a'] }],
  },
  {
    id: 'VA-009',
    title: 'nullable',
    refused: [
      [
        { nullableStr: 5 },
        'TypeInvalid spec.nullableStr: Invalid value: "integer": spec.nullableStr in body must be of type string: "integer"',
      ],
    ],
    accepted: [{ nullableStr: null, nullableObj: null, nullableArr: null }, { nullableStr: 'x' }],
  },
  {
    id: 'VA-010',
    title: 'enum of strings',
    refused: [
      [{ enumStr: 'yellow' }, 'NotSupported spec.enumStr: Unsupported value: "yellow": supported values: "red", "green", "blue"'],
      [{ enumStr: '' }, 'NotSupported spec.enumStr: Unsupported value: "": supported values: "red", "green", "blue"'],
      [{ enumStr: 'RED' }, 'NotSupported spec.enumStr: Unsupported value: "RED": supported values: "red", "green", "blue"'],
      [
        { enumStr: 5 },
        'TypeInvalid spec.enumStr: Invalid value: "integer": spec.enumStr in body must be of type string: "integer"',
        'NotSupported spec.enumStr: Unsupported value: 5: supported values: "red", "green", "blue"',
      ],
    ],
    accepted: [{ enumStr: 'red' }],
  },
  {
    id: 'VA-011',
    title: 'enum of integers',
    refused: [
      [{ enumInt: 4 }, 'NotSupported spec.enumInt: Unsupported value: 4: supported values: "1", "2", "3"'],
      [
        { enumInt: '1' },
        'TypeInvalid spec.enumInt: Invalid value: "string": spec.enumInt in body must be of type integer: "string"',
        'NotSupported spec.enumInt: Unsupported value: "1": supported values: "1", "2", "3"',
      ],
    ],
    accepted: [{ enumInt: 2 }],
  },
  {
    id: 'VA-012',
    title: 'enum with null: null is refused all the same',
    refused: [
      [{ enumNullable: 'b' }, 'NotSupported spec.enumNullable: Unsupported value: "b": supported values: "a", "null"'],
      [{ enumNullable: null }, 'NotSupported spec.enumNullable: Unsupported value: "null": supported values: "a", "null"'],
    ],
    accepted: [{ enumNullable: 'a' }],
  },
  {
    id: 'VA-014',
    title: 'exclusive minimum and maximum',
    refused: [
      [{ exMin: 0 }, 'Invalid spec.exMin: Invalid value: 0: spec.exMin in body should be greater than 0'],
      [{ exMin: -1 }, 'Invalid spec.exMin: Invalid value: -1: spec.exMin in body should be greater than 0'],
      [{ exMax: 1 }, 'Invalid spec.exMax: Invalid value: 1: spec.exMax in body should be less than 1'],
      [{ exMax: 1.5 }, 'Invalid spec.exMax: Invalid value: 1.5: spec.exMax in body should be less than 1'],
    ],
    accepted: [{ exMin: 0.001, exMax: 0.999 }],
  },
  {
    id: 'VA-015',
    title: 'multipleOf',
    refused: [
      [{ multiple: 7 }, 'Invalid spec.multiple: Invalid value: 7: spec.multiple in body should be a multiple of 5'],
      [{ multipleNum: 0.3 }, 'Invalid spec.multipleNum: Invalid value: 0.3: spec.multipleNum in body should be a multiple of 0.25'],
    ],
    accepted: [{ multiple: 10 }, { multipleNum: 0.75 }, { multiple: 0 }],
  },
  {
    id: 'VA-016',
    title: 'minLength and maxLength count characters',
    refused: [
      [{ minLen: 'ab' }, 'Invalid spec.minLen: Invalid value: "ab": spec.minLen in body should be at least 3 chars long'],
      [{ maxLen: 'abcdef' }, 'TooLong spec.maxLen: Too long: may not be more than 5 bytes'],
      [{ minLen: '' }, 'Invalid spec.minLen: Invalid value: "": spec.minLen in body should be at least 3 chars long'],
    ],
    accepted: [{ minLen: 'abc' }, { maxLen: 'abcde' }, { maxLen: 'ääääé' }, { minLen: '😀😀😀' }],
  },
  {
    id: 'VA-017',
    title: 'pattern',
    refused: [
      [{ pattern: 'ABC' }, 'Invalid spec.pattern: Invalid value: "ABC": spec.pattern in body should match \'^[a-z]+$\''],
      [{ pattern: '' }, 'Invalid spec.pattern: Invalid value: "": spec.pattern in body should match \'^[a-z]+$\''],
      [{ pattern: 'abc1' }, 'Invalid spec.pattern: Invalid value: "abc1": spec.pattern in body should match \'^[a-z]+$\''],
      [
        { patternClass: 'a12' },
        'Invalid spec.patternClass: Invalid value: "a12": spec.patternClass in body should match \'^\\p{Lu}\\d{2}$\'',
      ],
    ],
    accepted: [{ pattern: 'abc' }, { patternClass: 'Ä12' }],
  },
  {
    id: 'VA-019',
    title: 'format: date',
    refused: [
      [{ date: '2026-13-40' }, 'TypeInvalid spec.date: Invalid value: "2026-13-40": spec.date in body must be of type date: "2026-13-40"'],
      [
        { date: '2026-01-01T00:00:00Z' },
        'TypeInvalid spec.date: Invalid value: "2026-01-01T00:00:00Z": spec.date in body must be of type date: "2026-01-01T00:00:00Z"',
      ],
    ],
    accepted: [{ date: '2026-01-31' }],
  },
  {
    id: 'VA-020',
    title: 'format: duration',
    refused: [
      [{ duration: 'long' }, 'TypeInvalid spec.duration: Invalid value: "long": spec.duration in body must be of type duration: "long"'],
      [{ duration: '5' }, 'TypeInvalid spec.duration: Invalid value: "5": spec.duration in body must be of type duration: "5"'],
    ],
    accepted: [{ duration: '5m' }, { duration: '1h30m' }, { duration: '5 minutes' }],
  },
  {
    id: 'VA-021',
    title: 'format: byte',
    refused: [
      [{ byte: '***' }, 'TypeInvalid spec.byte: Invalid value: "***": spec.byte in body must be of type byte: "***"'],
      [{ byte: 'YQ' }, 'TypeInvalid spec.byte: Invalid value: "YQ": spec.byte in body must be of type byte: "YQ"'],
    ],
    accepted: [{ byte: 'YQ==' }],
  },
  {
    id: 'VA-022',
    title: 'format: uuid',
    refused: [
      [{ uuid: 'x' }, 'TypeInvalid spec.uuid: Invalid value: "x": spec.uuid in body must be of type uuid: "x"'],
      [
        { uuid: '11111111-2222-3333-4444' },
        'TypeInvalid spec.uuid: Invalid value: "11111111-2222-3333-4444": spec.uuid in body must be of type uuid: "11111111-2222-3333-4444"',
      ],
    ],
    accepted: [{ uuid: '11111111-2222-3333-4444-555555555555' }],
  },
  {
    id: 'VA-024',
    title: 'format: hostname',
    refused: [
      [{ hostname: '-bad-' }, 'TypeInvalid spec.hostname: Invalid value: "-bad-": spec.hostname in body must be of type hostname: "-bad-"'],
      [{ hostname: 'a b' }, 'TypeInvalid spec.hostname: Invalid value: "a b": spec.hostname in body must be of type hostname: "a b"'],
    ],
    accepted: [{ hostname: 'a.example.com' }],
  },
  {
    id: 'VA-025',
    title: 'format: ipv4, ipv6, cidr, mac, email',
    refused: [
      [{ ipv4: '1.2.3' }, 'TypeInvalid spec.ipv4: Invalid value: "1.2.3": spec.ipv4 in body must be of type ipv4: "1.2.3"'],
      [{ ipv4: '::1' }, 'TypeInvalid spec.ipv4: Invalid value: "::1": spec.ipv4 in body must be of type ipv4: "::1"'],
      [{ ipv6: '1.2.3.4' }, 'TypeInvalid spec.ipv6: Invalid value: "1.2.3.4": spec.ipv6 in body must be of type ipv6: "1.2.3.4"'],
      [{ ipv6: 'x' }, 'TypeInvalid spec.ipv6: Invalid value: "x": spec.ipv6 in body must be of type ipv6: "x"'],
      [{ cidr: '10.0.0.0' }, 'TypeInvalid spec.cidr: Invalid value: "10.0.0.0": spec.cidr in body must be of type cidr: "10.0.0.0"'],
      [{ mac: 'zz' }, 'TypeInvalid spec.mac: Invalid value: "zz": spec.mac in body must be of type mac: "zz"'],
      [{ email: 'nobody' }, 'TypeInvalid spec.email: Invalid value: "nobody": spec.email in body must be of type email: "nobody"'],
    ],
    accepted: [{ ipv4: '1.2.3.4', ipv6: '::1', cidr: '10.0.0.0/8', mac: '00:11:22:33:44:55', email: 'a@example.com' }],
  },
  {
    id: 'VA-026',
    title: 'format: password and unknown formats accept everything',
    refused: [],
    accepted: [{ password: 'x', unknownFormat: 'y' }],
  },
  {
    id: 'VA-027',
    title: 'format: int32 and int64 do not limit the range',
    refused: [],
    accepted: [{ int32: 2147483647 }, { int32: 2147483648 }, { int64: 4611686018427388000n }],
  },
  {
    id: 'VA-029',
    title: 'required',
    refused: [
      [{ required: {} }, 'Required spec.required.a: Required value', 'Required spec.required.b: Required value'],
      [{ required: { a: 'x' } }, 'Required spec.required.b: Required value'],
      [{ required: { b: null, a: 'x' } }, 'Required spec.required.b: Required value'],
    ],
    accepted: [{ required: { a: '', b: '' } }],
  },
  {
    id: 'VA-030',
    title: 'minProperties and maxProperties',
    refused: [
      [{ props: {} }, 'Invalid spec.props: Invalid value: 0: spec.props in body should have at least 1 properties'],
      [{ props: { a: '1', b: '2', c: '3' } }, 'TooMany spec.props: Too many: 3: must have at most 2 items'],
    ],
    accepted: [{ props: { a: '1' } }],
  },
  {
    id: 'VA-031',
    title: 'additionalProperties',
    refused: [
      [{ addl: { x: 'y' } }, 'TypeInvalid spec.addl.x: Invalid value: "string": spec.addl.x in body must be of type integer: "string"'],
      [
        { addlObj: { k: { a: -1 } } },
        'Invalid spec.addlObj.k.a: Invalid value: -1: spec.addlObj.k.a in body should be greater than or equal to 0',
      ],
      [
        { addlObj: { 'k.with/odd': { a: 'x' } } },
        'TypeInvalid spec.addlObj.k.with/odd.a: Invalid value: "string": spec.addlObj.k.with/odd.a in body must be of type integer: "string"',
      ],
    ],
    accepted: [{ addl: { x: 1 } }, { addlObj: { k: {} } }],
  },
  {
    id: 'VA-032',
    title: 'minItems and maxItems',
    refused: [
      [{ items: [] }, 'Invalid spec.items: Invalid value: 0: spec.items in body should have at least 1 items'],
      [{ items: [1, 2, 3, 4] }, 'TooMany spec.items: Too many: 4: must have at most 3 items'],
    ],
    accepted: [{ items: [1] }],
  },
  {
    id: 'VA-034',
    title: 'list type set',
    refused: [
      [{ set: ['a', 'b', 'a'] }, 'Duplicate spec.set[2]: Duplicate value: "a"'],
      [{ set: ['a', 'a', 'a'] }, 'Duplicate spec.set[1]: Duplicate value: "a"'],
      [
        {
          setObj: [
            { a: 'x', b: 1 },
            { b: 1, a: 'x' },
          ],
        },
        'Duplicate spec.setObj[1]: Duplicate value: …',
      ],
    ],
    accepted: [{ set: ['a', 'b'] }, { setObj: [{ a: 'x' }, { a: 'y' }] }],
  },
  {
    id: 'VA-035',
    title: 'list type map',
    refused: [
      [{ map: [{ k: 'a' }, { k: 'a', v: 2 }] }, 'Duplicate spec.map[1]: Duplicate value: …'],
      [{ map: [{ v: 1 }] }, 'Required spec.map[0].k: Required value'],
      [{ map2: [{ a: 'x' }, { a: 'x', b: 'x' }] }, 'Duplicate spec.map2[1]: Duplicate value: …'],
      [
        {
          map2: [
            { a: 'x', b: 'y' },
            { a: 'x', b: 'y' },
          ],
        },
        'Duplicate spec.map2[1]: Duplicate value: …',
      ],
    ],
    accepted: [{ map: [{ k: 'a' }, { k: 'b' }] }, { map2: [{ a: 'x' }, { a: 'x', b: 'z' }] }],
  },
  {
    id: 'VA-036',
    title: 'allOf',
    refused: [
      [
        { allOf: 'b' },
        'Invalid spec.allOf: Invalid value: "b": spec.allOf in body should be at least 2 chars long',
        'Invalid spec.allOf: Invalid value: "b": spec.allOf in body should match \'^a\'',
        'Invalid <nil>: Invalid value: "": "spec.allOf" must validate all the schemas (allOf). None validated',
      ],
      [
        { allOf: 'bb' },
        'Invalid spec.allOf: Invalid value: "bb": spec.allOf in body should match \'^a\'',
        'Invalid <nil>: Invalid value: "": "spec.allOf" must validate all the schemas (allOf)',
      ],
      [
        { allOf: 'a' },
        'Invalid spec.allOf: Invalid value: "a": spec.allOf in body should be at least 2 chars long',
        'Invalid <nil>: Invalid value: "": "spec.allOf" must validate all the schemas (allOf)',
      ],
    ],
    accepted: [{ allOf: 'ab' }],
  },
  {
    id: 'VA-037',
    title: 'anyOf',
    refused: [
      [
        { anyOf: 'two' },
        'Invalid <nil>: Invalid value: "": "spec.anyOf" must validate at least one schema (anyOf)',
        'NotSupported spec.anyOf: Unsupported value: "two": supported values: "one"',
      ],
    ],
    accepted: [{ anyOf: 'one' }, { anyOf: 'longer' }],
  },
  {
    id: 'VA-039',
    title: 'not',
    refused: [[{ not: 'forbidden' }, 'Invalid <nil>: Invalid value: "": "spec.not" must not validate the schema (not)']],
    accepted: [{ not: 'allowed' }],
  },
  {
    id: 'VA-040',
    title: 'int-or-string',
    refused: [
      [{ ios: 1.5 }, 'TypeInvalid spec.ios: Invalid value: "number": spec.ios in body must be of type integer,string: "number"'],
      [{ ios: true }, 'TypeInvalid spec.ios: Invalid value: "boolean": spec.ios in body must be of type integer,string: "boolean"'],
      [{ ios: {} }, 'TypeInvalid spec.ios: Invalid value: "object": spec.ios in body must be of type integer,string: "object"'],
      [{ iosPattern: '50' }, 'Invalid spec.iosPattern: Invalid value: "50": spec.iosPattern in body should match \'^[0-9]+%$\''],
    ],
    accepted: [{ ios: 5 }, { ios: '5' }, { iosPattern: '50%' }, { iosPattern: 50 }],
  },
  {
    id: 'VA-041',
    title: 'several errors at once',
    refused: [
      [
        { str: 1, int: 'x', min: 0, enumStr: 'no', required: {} },
        'TypeInvalid spec.str: Invalid value: "integer": spec.str in body must be of type string: "integer"',
        'Required spec.required.a: Required value',
        'Required spec.required.b: Required value',
        'NotSupported spec.enumStr: Unsupported value: "no": supported values: "red", "green", "blue"',
        'Invalid spec.min: Invalid value: 0: spec.min in body should be greater than or equal to 1',
        'TypeInvalid spec.int: Invalid value: "string": spec.int in body must be of type integer: "string"',
      ],
    ],
    accepted: [],
  },
  {
    id: 'VA-044',
    title: 'quotes and line ends in bad values',
    refused: [
      [
        { enumStr: 'a"b\nc\\d' },
        'NotSupported spec.enumStr: Unsupported value: "a\\"b\\nc\\\\d": supported values: "red", "green", "blue"',
      ],
      [{ pattern: 'a"b' }, 'Invalid spec.pattern: Invalid value: "a\\"b": spec.pattern in body should match \'^[a-z]+$\''],
    ],
    accepted: [],
  },
]
