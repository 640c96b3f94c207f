import { forbidden, GoText, invalid, notSupported, required, type FieldError } from '../errors/field-error.ts'
import { isObject, type JsonObject } from '../json.ts'
import { serviceNameProblems } from '../registry/names.ts'
import { text, type Conversion } from './model.ts'

const strategies = ['None', 'Webhook']
const reviewVersions = ['v1', 'v1beta1']

export function conversionErrors(conversion: Conversion | undefined, field: string): readonly FieldError[] {
  if (conversion === undefined) return []
  const { strategy, clientConfig } = conversion
  const errors: FieldError[] = []
  if (strategy === '') errors.push(required(`${field}.strategy`))
  else if (!strategies.includes(strategy)) errors.push(notSupported(`${field}.strategy`, strategy, strategies))
  const [config, versions] = [`${field}.webhookClientConfig`, `${field}.conversionReviewVersions`]
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook'
    if (clientConfig !== undefined) errors.push(forbidden(config, detail))
    if (conversion.reviewVersions.length > 0) errors.push(forbidden(versions, detail))
    return errors
  }
  if (clientConfig === undefined) errors.push(required(config, 'required when strategy is set to Webhook'))
  else errors.push(...clientErrors(clientConfig, config))
  return [...errors, ...reviewErrors(conversion.reviewVersions, versions)]
}

function clientErrors(config: JsonObject, field: string): readonly FieldError[] {
  const [url, service] = [config.url, config.service]
  const [hasUrl, hasService] = [typeof url === 'string', isObject(service)]
  if (hasUrl === hasService) return [required(field, 'exactly one of url or service is required')]
  if (hasUrl) return urlErrors(text(url), `${field}.url`)
  return isObject(service) ? serviceErrors(service, `${field}.service`) : []
}

function urlErrors(url: string, field: string): readonly FieldError[] {
  const form = 'desired format: https://host[/path]'
  if (!URL.canParse(url)) return [required(field, `url must be a valid URL: parse ${JSON.stringify(url)}; ${form}`)]
  const parsed = new URL(url)
  const errors: FieldError[] = []
  if (parsed.protocol !== 'https:') {
    errors.push(invalid(field, parsed.protocol.replace(':', ''), `'https' is the only allowed URL scheme; ${form}`))
  }
  if (parsed.host === '') errors.push(invalid(field, parsed.host, `host must be specified; ${form}`))
  if (parsed.username !== '') errors.push(invalid(field, parsed.username, 'user information is not permitted in the URL'))
  if (parsed.hash !== '') errors.push(invalid(field, parsed.hash.slice(1), 'fragments are not permitted in the URL'))
  if (parsed.search !== '') errors.push(invalid(field, parsed.search.slice(1), 'query parameters are not permitted in the URL'))
  return errors
}

function serviceErrors(service: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = []
  if (text(service.name) === '') errors.push(required(`${field}.name`, 'service name is required'))
  if (text(service.namespace) === '') errors.push(required(`${field}.namespace`, 'service namespace is required'))
  const { port } = service
  if (typeof port === 'number' && (port < 1 || port > 65_535)) {
    errors.push(invalid(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'))
  }
  return errors
}

function reviewErrors(versions: readonly string[], field: string): readonly FieldError[] {
  if (versions.length === 0) return [required(field)]
  const errors: FieldError[] = []
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) errors.push(invalid(`${field}[${index}]`, version, 'duplicate version'))
    else errors.push(...serviceNameProblems(version).map((problem) => invalid(`${field}[${index}]`, version, problem)))
  }
  if (!versions.some((version) => reviewVersions.includes(version))) {
    const shown = new GoText(`[]string{${versions.map((version) => JSON.stringify(version)).join(', ')}}`)
    errors.push(invalid(field, shown, `must include at least one of ${reviewVersions.join(', ')}`))
  }
  return errors
}
