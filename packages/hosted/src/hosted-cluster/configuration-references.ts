import { textAt, textsAt } from './unmodelled.ts'

type Path = readonly string[]

/** Where the configuration of the guest names Secrets. */
const secretPaths: readonly Path[] = [
  ['apiServer', 'servingCerts', 'namedCertificates', '*', 'servingCertificate'],
  ['authentication', 'webhookTokenAuthenticators', '*', 'kubeConfig'],
  ['authentication', 'webhookTokenAuthenticator', 'kubeConfig'],
  ...provider('basicAuth', 'tlsClientCert', 'tlsClientKey'),
  ...provider('github', 'clientSecret'),
  ...provider('gitlab', 'clientSecret'),
  ...provider('google', 'clientSecret'),
  ...provider('htpasswd', 'fileData'),
  ...provider('keystone', 'tlsClientCert', 'tlsClientKey'),
  ...provider('ldap', 'bindPassword'),
  ...provider('openID', 'clientSecret'),
  ['oauth', 'templates', 'error'],
  ['oauth', 'templates', 'login'],
  ['oauth', 'templates', 'providerSelection'],
]

/** Where it names ConfigMaps. */
const configMapPaths: readonly Path[] = [
  ['apiServer', 'clientCA'],
  ['authentication', 'oauthMetadata'],
  ['image', 'additionalTrustedCA'],
  ...['basicAuth', 'github', 'gitlab', 'keystone', 'ldap', 'openID', 'requestHeader'].flatMap((name) => provider(name, 'ca')),
  ['proxy', 'trustedCA'],
  ['scheduler', 'policy'],
]

/** Providers of identities from outside count only where they are the ones that are asked. */
const oidcSecretPath: Path = ['authentication', 'oidcProviders', '*', 'oidcClients', '*', 'clientSecret']
const oidcConfigMapPath: Path = ['authentication', 'oidcProviders', '*', 'issuer', 'issuerCertificateAuthority']

function provider(name: string, ...fields: readonly string[]): readonly Path[] {
  return fields.map((field) => ['oauth', 'identityProviders', '*', name, field])
}

/** Names of the Secrets that a configuration refers to, sorted. */
export function secretsIn(configuration: unknown): readonly string[] {
  return namesAt(configuration, secretPaths, oidcSecretPath)
}

/** Names of the ConfigMaps that a configuration refers to, sorted. */
export function configMapsIn(configuration: unknown): readonly string[] {
  return namesAt(configuration, configMapPaths, oidcConfigMapPath)
}

function namesAt(configuration: unknown, paths: readonly Path[], oidcPath: Path): readonly string[] {
  if (configuration === undefined) return []
  const isOidc = textAt(configuration, 'authentication', 'type') === 'OIDC'
  const names = (isOidc ? [...paths, oidcPath] : paths).flatMap((path) => textsAt(configuration, ...path, 'name'))
  return [...new Set(names)].toSorted()
}
