import { isArray, isObject, type Json, type JsonObject } from '../json.ts'
import { jsonText } from '../wire/json-encode.ts'
import { MessageWriter } from './protobuf-writer.ts'

/**
 * An OpenAPI v2 document as the protobuf message `openapi.v2.Document` that kubectl reads. The numbers are those of gnostic's
 * published message definitions; only what our documents contain is written.
 */
export function encodeV2({ swagger, info, paths, definitions }: JsonObject): Buffer {
  const about = objectIn(info)
  return new MessageWriter()
    .text(1, textIn(swagger))
    .message(2, new MessageWriter().text(1, textIn(about.title)).text(2, textIn(about.version)))
    .message(8, named(2, objectIn(paths), pathItem))
    .message(9, named(1, objectIn(definitions), schemaMessage))
    .finish()
}

/** Maps are lists of name and value in protobuf. */
function named(field: number, entries: JsonObject, write: (value: JsonObject) => MessageWriter): MessageWriter {
  const message = new MessageWriter()
  for (const [name, value] of Object.entries(entries))
    message.message(field, new MessageWriter().text(1, name).message(2, write(objectIn(value))))
  return message
}

function pathItem(item: JsonObject): MessageWriter {
  const message = new MessageWriter()
  const methods = { get: 2, put: 3, post: 4, delete: 5, patch: 8 }
  for (const [method, field] of Object.entries(methods)) if (isObject(item[method])) message.message(field, operation(item[method]))
  for (const each of arrayIn(item.parameters)) message.message(9, parametersItem(objectIn(each)))
  return message
}

function operation(value: JsonObject): MessageWriter {
  const message = new MessageWriter()
    .text(3, textIn(value.description))
    .text(5, textIn(value.operationId))
    .texts(6, textsIn(value.produces))
    .texts(7, textsIn(value.consumes))
  for (const each of arrayIn(value.parameters)) message.message(8, parametersItem(objectIn(each)))
  message.message(
    9,
    named(1, objectIn(value.responses), (answer) => new MessageWriter().message(1, response(answer))),
  )
  return withExtensions(message, 13, value)
}

function response({ description, schema }: JsonObject): MessageWriter {
  const message = new MessageWriter().text(1, textIn(description))
  return isObject(schema) ? message.message(2, new MessageWriter().message(1, schemaMessage(schema))) : message
}

/** `ParametersItem{parameter: Parameter{body | nonBody{query | path}}}`. */
function parametersItem(value: JsonObject): MessageWriter {
  return new MessageWriter().message(1, value.in === 'body' ? new MessageWriter().message(1, bodyParameter(value)) : otherParameter(value))
}

function bodyParameter({ description, name, required, schema }: JsonObject): MessageWriter {
  return new MessageWriter()
    .text(1, textIn(description))
    .text(2, textIn(name))
    .text(3, 'body')
    .flag(4, required === true)
    .message(5, schemaMessage(objectIn(schema)))
}

function otherParameter({ name, in: place, description, required, type, uniqueItems }: JsonObject): MessageWriter {
  const common = new MessageWriter()
    .flag(1, required === true)
    .text(2, textIn(place))
    .text(3, textIn(description))
    .text(4, textIn(name))
  const isPath = place === 'path'
  const message = common.text(isPath ? 5 : 6, textIn(type)).flag(isPath ? 19 : 20, uniqueItems === true)
  return new MessageWriter().message(2, new MessageWriter().message(isPath ? 4 : 3, message))
}

function schemaMessage(schema: JsonObject): MessageWriter {
  const { additionalProperties, type, items, properties } = schema
  const message = new MessageWriter()
    .text(1, textIn(schema.$ref))
    .text(2, textIn(schema.format))
    .text(3, textIn(schema.title))
    .text(4, textIn(schema.description))
    .double(6, numberIn(schema.multipleOf))
    .double(7, numberIn(schema.maximum))
    .flag(8, schema.exclusiveMaximum === true)
    .double(9, numberIn(schema.minimum))
    .flag(10, schema.exclusiveMinimum === true)
    .whole(11, numberIn(schema.maxLength))
    .whole(12, numberIn(schema.minLength))
    .text(13, textIn(schema.pattern))
    .whole(14, numberIn(schema.maxItems))
    .whole(15, numberIn(schema.minItems))
    .flag(16, schema.uniqueItems === true)
    .whole(17, numberIn(schema.maxProperties))
    .whole(18, numberIn(schema.minProperties))
    .texts(19, textsIn(schema.required))
  for (const value of arrayIn(schema.enum)) message.message(20, anyMessage(value))
  if (isObject(additionalProperties)) message.message(21, new MessageWriter().message(1, schemaMessage(additionalProperties)))
  else if (additionalProperties === true) message.message(21, new MessageWriter().flag(2, true))
  if (typeof type === 'string') message.message(22, new MessageWriter().texts(1, [type]))
  if (isObject(items)) message.message(23, new MessageWriter().message(1, schemaMessage(items)))
  if (isObject(properties)) message.message(25, named(1, properties, schemaMessage))
  return withExtensions(message, 31, schema)
}

function withExtensions(message: MessageWriter, field: number, value: JsonObject): MessageWriter {
  for (const [name, extension] of Object.entries(value)) {
    if (name.startsWith('x-')) message.message(field, new MessageWriter().text(1, name).message(2, anyMessage(extension)))
  }
  return message
}

/** Values of any type travel as YAML text, and JSON is YAML. */
function anyMessage(value: Json): MessageWriter {
  return new MessageWriter().text(2, `${jsonText(value)}\n`)
}

function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function arrayIn(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : []
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function textsIn(value: Json | undefined): readonly string[] {
  return arrayIn(value).filter((each) => typeof each === 'string')
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
