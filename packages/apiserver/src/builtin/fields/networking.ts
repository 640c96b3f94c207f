import { always, int32, intOrString, list, pointer, string, struct } from '../dsl/index.ts'
import { labelSelector } from './meta.ts'

/** Who may talk to whom. */

export const networkPolicyPort = struct({
  protocol: pointer(string),
  port: pointer(intOrString),
  endPort: pointer(int32),
})

export const ipBlock = struct({
  cidr: always(string),
  except: list(string),
})

export const networkPolicyPeer = struct({
  podSelector: pointer(labelSelector),
  namespaceSelector: pointer(labelSelector),
  ipBlock: pointer(ipBlock),
})

export const networkPolicyIngressRule = struct({
  ports: list(networkPolicyPort),
  from: list(networkPolicyPeer),
})

export const networkPolicyEgressRule = struct({
  ports: list(networkPolicyPort),
  to: list(networkPolicyPeer),
})

export const networkPolicySpec = struct({
  podSelector: labelSelector,
  ingress: list(networkPolicyIngressRule),
  egress: list(networkPolicyEgressRule),
  policyTypes: list(string),
})
