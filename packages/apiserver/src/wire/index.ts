/**
 * Bodies and headers: what goes over the wire, without sockets.
 *
 * - `body.ts` reads the object in a request; `json-decode.ts` and `yaml-decode.ts` read the formats, `json-scan.ts` finds what
 *   JSON.parse does not tell (repeated keys, why a text is not JSON), `decoded.ts` puts such complaints into words.
 * - `content-type.ts`: which format a body claims to have. `negotiate.ts`: which form of an answer a client accepts.
 * - `warning-header.ts`, `presentation.ts`: Warning headers, compression, indentation.
 * - `protobuf/`: bodies in protobuf, turned into JSON.
 */
export { decodeApplyBody, decodeBody } from './body.ts'
export { bodyFormat, mediaType, patchFormat, unsupportedMediaType } from './content-type.ts'
export type { BodyFormat, PatchFormat } from './content-type.ts'
export { UnreadableBody } from './unreadable-body.ts'
export { decodingWarnings, strictDecodingError } from './decoded.ts'
export type { Decoded, DecodeOptions } from './decoded.ts'
export { decodeJson, decodeOwnJson } from './json-decode.ts'
export { encodeJson, jsonText } from './json-encode.ts'
export { deepestNesting } from './json-scan.ts'
export { negotiate, negotiateDiscovery, notAcceptable } from './negotiate.ts'
export type { Answer, Form, Negotiated } from './negotiate.ts'
export { shouldCompress, wantsPretty } from './presentation.ts'
export { warningHeaders } from './warning-header.ts'
export { decodeYaml } from './yaml-decode.ts'
