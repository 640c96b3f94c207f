import type { ConfigMap, HostedCluster, NodePool } from '@windlass/api'
import { failed, found, type Lookup } from '../../hosted-cluster/index.ts'
import { apiProxyConfigMap, PoolAnnotation } from '../wire.ts'
import { type ConfigDocument, encode, type Manifest } from './documents.ts'

interface Inputs {
  readonly pool: NodePool
  readonly cluster: HostedCluster
  /** Component images of the pool's own release. */
  readonly images: ReadonlyMap<string, string>
  readonly operatorImage: string
}

/** The address at which pods find the API server, on every node the same: the service `kubernetes` has none that nodes could use. */
const usualAddress = '172.20.0.1'
const usualPort = 6443
const routerImage = 'haproxy-router'
const configDirectory = '/etc/kubernetes/apiserver-proxy-config'
const podManifest = '/etc/kubernetes/manifests/kube-apiserver-proxy.yaml'

/**
 * Whether it is us who make the configuration below. An operator of a control plane that predates that does it itself, and then it is among those that the
 * cluster owns.
 */
export function isProxyConfigOurs(core: readonly ConfigMap[]): boolean {
  return !core.some(({ metadata }) => metadata.name === apiProxyConfigMap)
}

/**
 * The machine configuration that lets nodes reach their API server: a local address, and a proxy that listens there.
 *
 * The image of the proxy comes from the release of the pool, hence a new release is also a new configuration. Behind a cluster-wide proxy it
 * is the control plane operator that forwards, because haproxy cannot; then its image plays that part.
 */
export function apiProxyConfig({ pool, cluster, images, operatorImage }: Inputs): Lookup<ConfigDocument> {
  const endpoint = cluster.status?.controlPlaneEndpoint
  if (endpoint === undefined) return failed('the API server has no address yet: HostedCluster status.controlPlaneEndpoint is not set')
  const image = pool.metadata.annotations?.[PoolAnnotation.haproxyImage] ?? images.get(routerImage)
  const proxy = proxyUrlOf(cluster)
  if (image === undefined && proxy === undefined)
    return failed(`the release has no image ${routerImage}, which nodes reach their API server with`)
  const { advertiseAddress: address = usualAddress, port = usualPort } = cluster.spec.networking.apiServer ?? {}
  return found(remembered(pool, { image: image ?? '', proxy, operatorImage, listener: { address, port }, endpoint }))
}

interface ProxyInputs {
  readonly image: string
  readonly proxy: string | undefined
  readonly operatorImage: string
  readonly listener: Listener
  readonly endpoint: Endpoint
}

/** By the spec of the pool, which is the same value in every pass that has not changed it: writing YAML would take as long as the rest of a pass. */
const written = new WeakMap<NodePool['spec'], { readonly inputs: string; readonly document: ConfigDocument }>()

function remembered({ spec }: NodePool, given: ProxyInputs): ConfigDocument {
  const inputs = JSON.stringify(given)
  const known = written.get(spec)
  if (known?.inputs === inputs) return known.document
  const document = write(given)
  written.set(spec, { inputs, document })
  return document
}

function write({ image, proxy, operatorImage, listener, endpoint }: ProxyInputs): ConfigDocument {
  const { address } = listener
  const pod = proxy === undefined ? haproxyPod(image, listener) : forwardingPod(operatorImage, proxy, listener, endpoint)
  const value = machineConfig([
    ...(proxy === undefined ? [file(`${configDirectory}/haproxy.cfg`, 0o644, haproxyConfig(listener, endpoint))] : []),
    file(podManifest, 0o644, encode(pod)),
    file('/usr/local/bin/setup-apiserver-ip.sh', 0o755, script(`ip addr add ${address}/32 brd ${address} scope host dev lo || true`)),
    file('/usr/local/bin/teardown-apiserver-ip.sh', 0o755, script(`ip addr delete ${address}/32 dev lo`)),
  ])
  return { kind: 'MachineConfig', text: encode(value), value }
}

interface Endpoint {
  readonly host: string
  readonly port: number
}

interface Listener {
  readonly address: string
  readonly port: number
}

function proxyUrlOf({ spec }: HostedCluster): string | undefined {
  const { httpsProxy, httpProxy } = spec.configuration?.proxy ?? {}
  return httpsProxy || httpProxy || undefined
}

function haproxyConfig({ address, port }: Listener, endpoint: Endpoint): string {
  return [
    'global',
    '  maxconn 7000',
    '  log stdout local0',
    'defaults',
    '  mode tcp',
    '  timeout client 10m',
    '  timeout server 10m',
    '  timeout connect 10s',
    '  log global',
    'frontend local_apiserver',
    `  bind ${address}:${port}`,
    '  default_backend remote_apiserver',
    'backend remote_apiserver',
    '  option httpchk GET /version',
    `  server controlplane ${endpoint.host}:${endpoint.port}`,
    '',
  ].join('\n')
}

function haproxyPod(image: string, { address, port }: Listener): Manifest {
  return staticPod(
    {
      name: 'haproxy',
      image,
      command: ['haproxy', '-f', '/usr/local/etc/haproxy/haproxy.cfg'],
      securityContext: { runAsUser: 1001 },
      livenessProbe: {
        httpGet: { host: address, path: '/version', port, scheme: 'HTTPS' },
        initialDelaySeconds: 120,
        periodSeconds: 120,
        failureThreshold: 3,
        successThreshold: 1,
      },
      ports: [{ containerPort: port, hostPort: port, name: 'apiserver', protocol: 'TCP' }],
      resources: { requests: { cpu: '13m', memory: '16Mi' } },
      volumeMounts: [{ mountPath: '/usr/local/etc/haproxy', name: 'config' }],
    },
    [{ name: 'config', hostPath: { path: configDirectory } }],
  )
}

function forwardingPod(image: string, proxy: string, { address, port }: Listener, endpoint: Endpoint): Manifest {
  return staticPod({
    name: 'kubernetes-default-proxy',
    image,
    command: [
      'control-plane-operator',
      'kubernetes-default-proxy',
      `--listen-addr=${address}:${port}`,
      `--proxy-addr=${proxy.replace(/^[a-z]+:\/\//, '')}`,
      `--apiserver-addr=${endpoint.host}:${endpoint.port}`,
    ],
    resources: { requests: { cpu: '13m', memory: '16Mi' } },
  })
}

function staticPod(container: Manifest, volumes: readonly Manifest[] = []): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'kube-apiserver-proxy', namespace: 'kube-system', labels: { 'k8s-app': 'kube-apiserver-proxy' } },
    spec: {
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      containers: [container],
      ...(volumes.length === 0 ? {} : { volumes }),
    },
  }
}

function machineConfig(files: readonly Manifest[]): Manifest {
  const unit = [
    '[Unit]',
    'Description=Sets up local IP to proxy API server requests',
    'Wants=network-online.target',
    'After=network-online.target',
    '[Service]',
    'Type=oneshot',
    'ExecStart=/usr/local/bin/setup-apiserver-ip.sh',
    'ExecStop=/usr/local/bin/teardown-apiserver-ip.sh',
    'RemainAfterExit=yes',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n')
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: '20-apiserver-haproxy', labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
    spec: {
      config: {
        ignition: { version: '3.2.0' },
        storage: { files },
        systemd: { units: [{ name: 'apiserver-ip.service', enabled: true, contents: unit }] },
      },
    },
  }
}

function file(path: string, mode: number, contents: string): Manifest {
  const source = `data:text/plain;charset=utf-8;base64,${Buffer.from(contents).toString('base64')}`
  return { path, mode, overwrite: true, contents: { source } }
}

function script(command: string): string {
  return `#!/usr/bin/env bash\nset -x\n${command}\n`
}
