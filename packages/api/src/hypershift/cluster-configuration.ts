import { localReference } from '../meta/index.ts'
import { anyObject, flag, immutable, list, object, openObject, optional, text } from '../schema/index.ts'

/**
 * Configuration of the guest's own APIs, passed through as it is. Only what nodes roll for (proxy, images, TLS profile) and what
 * rules look at (serving certificates) is modelled.
 */
export const configuration = openObject('Configuration of the guest, passed through.', {
  apiServer: optional(
    openObject('The API server.', {
      servingCerts: optional(
        openObject('Certificates to serve with besides its own.', {
          namedCertificates: optional(
            list(
              'One certificate per set of names.',
              openObject('One certificate.', { names: optional(list('The names.', text('A name.'), { maxItems: 64, as: 'atomic' })) }),
              { maxItems: 32, as: 'atomic' },
            ),
          ),
        }),
      ),
      tlsSecurityProfile: optional(anyObject('Which TLS versions and ciphers are allowed.')),
    }),
  ),
  image: optional(anyObject('From where images may be pulled and imported.')),
  oauth: optional(anyObject('Identity providers and token lifetimes.')),
  proxy: optional(
    openObject('The proxy for everything that leaves the cluster.', {
      httpProxy: optional(text('For http.')),
      httpsProxy: optional(text('For https.')),
      noProxy: optional(text('What goes without it, separated by commas.')),
      trustedCA: optional(object('The ConfigMap with authorities to trust, under ca-bundle.crt.', { name: text('Its name.') })),
    }),
  ),
})

/** Configuration of operators in the control plane, passed through but for what rules look at. */
export const operatorConfiguration = openObject('Configuration of operators in the control plane, passed through.', {
  clusterNetworkOperator: optional(
    openObject('The network operator.', {
      disableMultiNetwork: optional(
        flag('Whether pods can have one network only.', { default: false, rules: [immutable('disableMultiNetwork')] }),
      ),
      ovnKubernetesConfig: optional(openObject('For OVNKubernetes.', {}, { minProperties: 1 })),
    }),
  ),
})

export const additionalTrustBundle = localReference('The ConfigMap with authorities that the cluster trusts, under ca-bundle.crt.')
