import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { ConfigMap, HostedCluster, Secret } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { aConfigMap } from '@windlass/api/fixtures'
import { kubeconfigAndPasswordSync } from './copies-back.ts'
import * as copies from './copies.ts'
import { platformCredentials, platformCredentialsFound } from './credentials.ts'
import type { ObservedHostedCluster } from './observed.ts'
import type { Outcome } from './outcome.ts'
import { aCompleteCluster, aControlPlane, aUserSecret, belongings, home, noon, observationOf, World } from './testing/index.ts'

type Spec = HostedCluster['spec']

/** Runs one operation on a cluster with this spec, and shows what the namespace of its control plane holds then. */
function run(operation: (observed: ObservedHostedCluster) => Outcome, spec: Partial<Spec>, ...objects: readonly KubernetesObject[]) {
  const world = new World([...belongings, home, aCompleteCluster({ spec }), ...objects])
  const result = operation(observationOf(world))
  world.carryOut(result.actions, noon)
  assert.deepEqual(operation(observationOf(world)).actions, [], 'there is nothing to do the second time')
  const copy = (name: string): Secret | undefined => world.find(Secret, { namespace: 'clusters-prod', name })
  const text = (name: string, key: string): string => Buffer.from(copy(name)?.data?.[key] ?? '', 'base64').toString()
  return { ...result, world, copy, text }
}

const marked = { 'hypershift.openshift.io/cluster': 'clusters/prod' }
const ours = (name: string) => {
  const secret = aUserSecret(name, { x: 'y' }, 'clusters-prod')
  return { ...secret, metadata: { ...secret.metadata, annotations: marked } }
}

describe('copies for the control plane', () => {
  it('the pull secret has one key, one type and one name', () => {
    const { copy, problems } = run(copies.pullSecretSync, {})
    assert.deepEqual(problems, [])
    assert.equal(copy('pull-secret')?.type, 'kubernetes.io/dockerconfigjson')
    assert.deepEqual(Object.keys(copy('pull-secret')?.data ?? {}), ['.dockerconfigjson'])
    assert.deepEqual(copy('pull-secret')?.metadata.annotations, marked)
  })

  it('sources are marked, so that their changes are noticed', () => {
    const { world } = run(copies.pullSecretSync, {})
    const source = world.find(Secret, { namespace: 'clusters', name: 'prod-pull-secret' })
    assert.equal(source?.metadata.annotations?.['referenced-resource.hypershift.openshift.io/prod'], 'true')
  })

  it('a copy follows its source', () => {
    const { world } = run(copies.pullSecretSync, {})
    world.put(aUserSecret('prod-pull-secret', { '.dockerconfigjson': '{"auths":{}}' }))
    world.carryOut(copies.pullSecretSync(observationOf(world)).actions, noon)
    assert.equal(
      Buffer.from(
        world.find(Secret, { namespace: 'clusters-prod', name: 'pull-secret' })?.data?.['.dockerconfigjson'] ?? '',
        'base64',
      ).toString(),
      '{"auths":{}}',
    )
  })

  it('a copy has nothing that its source does not have', () => {
    const etcd = { managementType: 'Unmanaged', unmanaged: { endpoint: 'https://etcd', tls: { clientSecret: { name: 'tls' } } } } as const
    const stale = aUserSecret('tls', { 'etcd-client.crt': '1', stale: '2' }, 'clusters-prod')
    const { copy } = run(copies.unmanagedEtcdTls, { etcd }, aUserSecret('tls', { 'etcd-client.crt': '1' }), stale)
    assert.deepEqual(Object.keys(copy('tls')?.data ?? {}), ['etcd-client.crt'])
  })

  it('a source that is missing, or lacks its key, is an error that names it', () => {
    assert.deepEqual(run(copies.pullSecretSync, { pullSecret: { name: 'gone' } }).problems, [
      'failed to get pull secret Secret clusters/gone: not found',
    ])
    assert.deepEqual(run(copies.auditWebhookSync, { auditWebhook: { name: 'audit' } }, aUserSecret('audit', { other: 'x' })).problems, [
      'audit webhook Secret clusters/audit must have a key named webhook-kubeconfig',
    ])
  })

  it('the SSH key goes when the cluster names none, if it is ours', () => {
    const { sshKey: _, ...spec } = aCompleteCluster().spec
    const without = (object: KubernetesObject) => {
      const world = new World([home, { ...aCompleteCluster(), spec } as HostedCluster, object])
      world.carryOut(copies.sshKeySync(observationOf(world)).actions, noon)
      return world.find(Secret, { namespace: 'clusters-prod', name: 'ssh-key' })
    }
    assert.equal(without(ours('ssh-key')), undefined)
    assert.notEqual(without(aUserSecret('ssh-key', {}, 'clusters-prod')), undefined)
    assert.equal(run(copies.sshKeySync, {}).text('ssh-key', 'id_rsa.pub'), 'ssh-rsa AAAA')
  })

  it('encryption keys keep their names, and nothing but the key', () => {
    const aescbc = { activeKey: { name: 'new' }, backupKey: { name: 'old' } }
    const secrets = [aUserSecret('new', { key: '1', note: 'x' }), aUserSecret('old', { key: '2' })]
    const { copy } = run(copies.secretEncryptionSync, { secretEncryption: { type: 'aescbc', aescbc } }, ...secrets)
    assert.deepEqual(Object.keys(copy('new')?.data ?? {}), ['key'])
    assert.equal(copy('old')?.type, 'Opaque')
  })

  it('encryption without a key is noted, and no error', () => {
    const { problems, notes } = run(copies.secretEncryptionSync, { secretEncryption: { type: 'aescbc' } })
    assert.deepEqual([problems.length, notes.length], [0, 1])
    assert.deepEqual(run(copies.secretEncryptionSync, { secretEncryption: { type: 'kms', kms: { provider: 'AWS' } } }).notes, [])
  })

  it('the trust bundle is a ConfigMap of a fixed name, and goes with its reference', () => {
    const bundle = aConfigMap({ name: 'mine', namespace: 'clusters', data: { 'ca-bundle.crt': 'pem', other: 'x' } })
    const { world } = run(copies.additionalTrustBundle, { additionalTrustBundle: { name: 'mine' } }, bundle)
    assert.deepEqual(world.find(ConfigMap, { namespace: 'clusters-prod', name: 'user-ca-bundle' })?.data, { 'ca-bundle.crt': 'pem' })
    const left = aConfigMap({ name: 'user-ca-bundle', metadata: { annotations: marked } })
    const { world: after } = run(copies.additionalTrustBundle, {}, left)
    assert.equal(after.find(ConfigMap, { namespace: 'clusters-prod', name: 'user-ca-bundle' }), undefined)
  })

  it('the signing key comes with all public keys that tokens may have been signed with', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const source = aUserSecret('signer', { key, 'old-key.pub': 'OLD KEY' })
    const { text } = run(copies.serviceAccountSigningKey, { serviceAccountSigningKey: { name: 'signer' } }, source)
    assert.equal(text('sa-signing-key', 'service-account.key'), key)
    const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
    assert.equal(text('sa-signing-key', 'service-account.pub'), `${publicKey}OLD KEY`)
  })

  it('certificates for an etcd of somebody else are copied whole', () => {
    const etcd = { managementType: 'Unmanaged', unmanaged: { endpoint: 'https://etcd', tls: { clientSecret: { name: 'tls' } } } } as const
    const { copy } = run(copies.unmanagedEtcdTls, { etcd }, aUserSecret('tls', { 'etcd-client.crt': '1', more: '2' }))
    assert.deepEqual(Object.keys(copy('tls')?.data ?? {}), ['etcd-client.crt', 'more'])
  })

  it('what the configuration refers to is copied as it is, but for the marks of clusters', () => {
    const configuration = {
      apiServer: { servingCerts: { namedCertificates: [{ names: ['a'], servingCertificate: { name: 'serving' } }] } },
      oauth: {
        identityProviders: [{ name: 'h', htpasswd: { fileData: { name: 'users' } } }, { openID: { ca: { name: 'idp-ca' } } }],
        templates: { login: { name: 'login' } },
      },
      proxy: { trustedCA: { name: 'proxy-ca' } },
      authentication: {
        type: 'OIDC',
        oidcProviders: [
          { issuer: { issuerCertificateAuthority: { name: 'oidc-ca' } }, oidcClients: [{ clientSecret: { name: 'client' } }] },
        ],
      },
    }
    const secrets = ['serving', 'users', 'login', 'client'].map((name) => aUserSecret(name, { a: name }))
    const configMaps = ['idp-ca', 'proxy-ca', 'oidc-ca'].map((name) =>
      aConfigMap({
        name,
        namespace: 'clusters',
        data: { ca: name },
        metadata: { labels: { l: name }, annotations: { note: name, 'referenced-resource.hypershift.openshift.io/prod': 'true' } },
      }),
    )
    const { world, problems } = run(copies.globalConfigSync, { configuration }, ...secrets, ...configMaps)
    assert.deepEqual(problems, [])
    for (const { metadata, data } of secrets)
      assert.deepEqual(world.find(Secret, { namespace: 'clusters-prod', name: metadata.name ?? '' })?.data, data)
    const copy = world.find(ConfigMap, { namespace: 'clusters-prod', name: 'idp-ca' })
    assert.deepEqual([copy?.metadata.labels, copy?.metadata.annotations], [{ l: 'idp-ca' }, { note: 'idp-ca', ...marked }])
    assert.deepEqual(copies.referencesOf(aCompleteCluster({ spec: { configuration } })), {
      secrets: ['prod-pull-secret', 'prod-ssh-key', 'prod-etcd-encryption-key', 'client', 'login', 'serving', 'users'],
      configMaps: ['idp-ca', 'oidc-ca', 'proxy-ca'],
    })
  })
})

describe('credentials for AWS', () => {
  const rolesRef = {
    ingressARN: 'arn:i',
    imageRegistryARN: 'arn:r',
    storageARN: 'arn:storage',
    networkARN: 'arn:network',
    kubeCloudControllerARN: 'arn:cloud',
    nodePoolManagementARN: 'arn:nodes',
    controlPlaneOperatorARN: 'arn:operator',
  }
  const platform = { type: 'AWS', aws: { region: 'eu-west-1', rolesRef } } as const

  it('are made from roles, each for its Secret', () => {
    const kms = { provider: 'AWS', aws: { auth: { awsKms: 'arn:kms' } } } as const
    const { text } = run(platformCredentials, { platform, secretEncryption: { type: 'kms', kms } })
    const roles = {
      'cloud-controller-creds': 'cloud',
      'node-management-creds': 'nodes',
      'control-plane-operator-creds': 'operator',
      'cloud-network-config-controller-creds': 'network',
      'ebs-cloud-credentials': 'storage',
      'kms-creds': 'kms',
    }
    for (const [name, role] of Object.entries(roles))
      assert.match(text(name, 'credentials'), new RegExp(`^\\[default\\]\\nrole_arn = arn:${role}\\n`), name)
  })

  it('are missed when a role is not named', () => {
    const spec = { platform: { type: 'AWS', aws: { region: 'eu-west-1', rolesRef: { ...rolesRef, networkARN: '' } } } } as const
    const { copy } = run(platformCredentials, spec)
    assert.equal(copy('cloud-network-config-controller-creds'), undefined)
    assert.notEqual(copy('cloud-controller-creds'), undefined)
    const verdict = platformCredentialsFound(observationOf(new World([aCompleteCluster({ spec })])))
    assert.equal(verdict.reason, 'PlatformCredentialsNotFound')
    assert.match(verdict.message, /rolesRef\.networkARN is empty, so that Secret cloud-network-config-controller-creds cannot be made/)
  })
})

describe('copies for people', () => {
  const kubeConfig = { name: 'admin-kubeconfig', key: 'kubeconfig' }
  const back = (status: object, spec: Partial<Spec>, ...objects: readonly KubernetesObject[]) => {
    const controlPlane = aControlPlane({ status: { ready: true, initialized: true, ...status } })
    const { world, ...rest } = run((observed) => kubeconfigAndPasswordSync(observed, controlPlane), spec, ...objects)
    return { ...rest, beside: (name: string) => world.find(Secret, { namespace: 'clusters', name }) }
  }
  const kubeconfig = aUserSecret('admin-kubeconfig', { kubeconfig: 'k', other: 'x' }, 'clusters-prod')
  const password = aUserSecret('kubeadmin-password', { password: 'p' }, 'clusters-prod')

  it('lie beside the cluster and go with it', () => {
    const { beside } = back({ kubeConfig, kubeadminPassword: { name: 'kubeadmin-password' } }, {}, kubeconfig, password)
    const copy = beside('prod-admin-kubeconfig')
    assert.deepEqual(Object.keys(copy?.data ?? {}), ['kubeconfig'])
    assert.deepEqual(
      copy?.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
      ['HostedCluster prod'],
    )
    assert.deepEqual(Object.keys(beside('prod-kubeadmin-password')?.data ?? {}), ['password'])
  })

  it('the password is withdrawn when there is none, and when people have accounts of their own', () => {
    const { uid = '' } = aCompleteCluster().metadata
    const given = aUserSecret('prod-kubeadmin-password', { password: 'p' })
    const owned = {
      ...given,
      metadata: { ...given.metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'HostedCluster', name: 'prod', uid }] },
    }
    assert.equal(back({ kubeConfig }, {}, kubeconfig, owned).beside('prod-kubeadmin-password'), undefined)
    const status = { kubeConfig, kubeadminPassword: { name: 'kubeadmin-password' } }
    assert.equal(back(status, { configuration: { oauth: {} } }, kubeconfig, password, owned).beside('prod-kubeadmin-password'), undefined)
    assert.notEqual(back({ kubeConfig }, {}, kubeconfig, given).beside('prod-kubeadmin-password'), undefined)
  })

  it('a source that is not there is an error', () => {
    assert.deepEqual(back({ kubeConfig }, {}).problems, [
      'failed to copy admin-kubeconfig: Secret clusters-prod/admin-kubeconfig not found',
    ])
    assert.deepEqual(back({ customKubeconfig: { name: 'admin-kubeconfig', key: 'gone' } }, {}, kubeconfig).problems, [
      'failed to copy custom-admin-kubeconfig: Secret clusters-prod/admin-kubeconfig must have a key named gone',
    ])
  })
})
