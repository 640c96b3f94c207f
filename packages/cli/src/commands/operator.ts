import { type SkewPolicy, type SkewSource, tryParseDuration } from '@windlass/core'
import type { InsightMode } from '@windlass/insights'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../context.ts'
import { examples } from './help.ts'
import { filePath, folderPath } from './paths.ts'
import { type LogLevel, logLevels, parsePort } from './server-options.ts'
import { parseSpeed } from './simulation-options.ts'

/** As commander hands them over; lengths of time in milliseconds. */
export interface OperatorFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly controllers?: readonly string[]
  readonly observe?: true
  readonly releaseCatalogue?: string
  readonly releaseCache?: string
  readonly registryMirrors?: string
  readonly registryCa?: string
  readonly registryOverrides?: Readonly<Record<string, string>>
  readonly enforceSequentialMinor?: true
  readonly nodePools?: 'manage' | 'observe'
  readonly skewPolicy?: SkewPolicy
  readonly skewSource?: SkewSource
  readonly insightMode: InsightMode
  readonly simulatedSpeed: number
  readonly operatorNamespace: string
  readonly serviceEndpoint?: Readonly<Record<string, string>>
  readonly host: string
  readonly healthPort?: number
  readonly metricsPort?: number
  readonly collectorPort?: number
  readonly ignitionPort?: number
  readonly ignitionCertificate?: string
  readonly ignitionKey?: string
  readonly ignitionAuthority?: string
  readonly leaderElect?: true
  readonly leaseNamespace: string
  readonly leaseName: string
  readonly leaseDuration: number
  readonly renewDeadline: number
  readonly retryPeriod: number
  readonly logLevel: LogLevel
}

const skewPolicies: readonly SkewPolicy[] = ['parity', 'fixed:1', 'fixed:2', 'fixed:3']
const skewSources: readonly SkewSource[] = ['Auto', 'ClusterVersion', 'ControlPlaneVersion']

export function addOperator(program: Command, context: Context): void {
  const command = program
    .command('operator')
    .summary('run controllers against a cluster')
    .description(
      'Runs controllers against a cluster: the one of --kubeconfig or $KUBECONFIG, the one it runs in, or that of ~/.kube/config. ' +
        'All state is in the cluster; it can be ended and started again at any moment.',
    )
    .addOption(new Option('--kubeconfig <file>', 'how to reach the cluster').argParser(filePath))
    .addOption(new Option('--context <name>', 'context of the kubeconfig, instead of its current one'))
    .addOption(new Option('--controllers <names>', 'which ones to run, with commas between them (default: all)').argParser(names))
    .addOption(new Option('--observe', "change nothing but the status of objects of Windlass's own groups; say what would be done"))
    .addOption(
      new Option(
        '--release-catalogue <file>',
        'releases from a file instead of from registries; sample is the one that comes with Windlass',
      ).argParser(filePath),
    )
    .addOption(
      new Option('--release-cache <folder>', 'keep what registries said of releases there, for the next start').argParser(folderPath),
    )
    .addOption(
      new Option('--registry-mirrors <file>', 'where else images are: ImageDigestMirrorSets and ImageTagMirrorSets, in YAML').argParser(
        filePath,
      ),
    )
    .addOption(new Option('--registry-ca <file>', 'authorities of registries to trust besides the usual ones, in PEM').argParser(filePath))
    .addOption(
      new Option(
        '--registry-overrides <source=place>',
        'from where control planes take their images instead, with commas between them; may be repeated',
      ).argParser(overrides),
    )
    .addOption(new Option('--enforce-sequential-minor', 'refuse upgrades of control planes that skip a minor, instead of warning of them'))
    .addOption(
      new Option('--node-pools <mode>', 'observe where another operator runs them: say and count what there is, change nothing').choices([
        'manage',
        'observe',
      ]),
    )
    .addOption(new Option('--skew-policy <name>', 'how many minors nodes may be behind (default: parity)').choices(skewPolicies))
    .addOption(
      new Option('--skew-source <name>', 'whose word counts about the version that nodes are held against (default: Auto)').choices(
        skewSources,
      ),
    )
    .addOption(
      new Option('--insight-mode <mode>', 'how much insights say: how far an update is, or also how well it goes')
        .choices(['compat', 'extended'])
        .default('extended'),
    )
    .addOption(
      new Option('--simulated-speed <factor>', 'the --speed of windlass simulator: what takes too long does so that much sooner')
        .default(1)
        .argParser(parseSpeed),
    )
    .addOption(
      new Option('--operator-namespace <name>', 'where managed upgrades have their configuration and their UpgradeConfig')
        .env('OPERATOR_NAMESPACE')
        .default('openshift-managed-upgrade-operator'),
    )
    .addOption(
      new Option(
        '--service-endpoint <service=url>',
        'for rehearsals: where a service of the cluster is, as namespace/name=url; may be repeated',
      ).argParser(endpoint),
    )
    .addOption(new Option('--health-port <number>', 'serve /healthz, /readyz and /debug there; 0 picks a free port').argParser(parsePort))
    .addOption(new Option('--metrics-port <number>', 'serve /metrics there; may be the same port').argParser(parsePort))
    .addOption(
      new Option(
        '--collector-port <number>',
        'serve what is derived from the UpgradeConfig there, at any path, instead of with the other metrics',
      ).argParser(parsePort),
    )
    .addOption(
      new Option('--ignition-port <number>', 'run node pools too, and serve their machines their configuration there').argParser(parsePort),
    )
    .addOption(
      new Option('--ignition-certificate <file>', 'certificate of that port, in PEM (default: one of our own for each name)').argParser(
        filePath,
      ),
    )
    .addOption(new Option('--ignition-key <file>', 'its key').argParser(filePath))
    .addOption(new Option('--ignition-authority <file>', 'what has signed it, for machines to trust').argParser(filePath))
    .addOption(new Option('--host <address>', 'address of these ports').default('127.0.0.1'))
    .addOption(new Option('--leader-elect', 'of several operators with the same lease, only one acts at a time'))
    .addOption(new Option('--lease-namespace <name>', 'namespace of the lease').default('default'))
    .addOption(new Option('--lease-name <name>', 'name of the lease').default('windlass-operator'))
    .addOption(duration('--lease-duration <time>', 'how long others wait for a leader that is silent', '15s'))
    .addOption(duration('--renew-deadline <time>', 'how long a leader goes on that cannot renew its lease', '10s'))
    .addOption(duration('--retry-period <time>', 'how often the lease is looked at', '2s'))
    .addOption(new Option('--log-level <level>', 'what to log on stderr').choices(logLevels).default('info'))
  examples(command, [
    ['windlass operator --kubeconfig .windlass/data/kubeconfig', 'against the server of this folder'],
    ['windlass operator --observe --health-port 8081', 'look, and see what it would do at /debug/reconcile'],
    ['windlass operator --controllers cluster-version-insight,cluster-operator-insight', 'say how an update of the cluster itself goes'],
    ['windlass operator --controllers upgrade-config,node-keeper,machine-config-pool,upgrade-config-manager', 'run managed upgrades'],
    ['windlass operator --leader-elect --health-port 8081 --metrics-port 8080 --host 0.0.0.0', 'in a pod'],
  ])
  command.action(async (flags: OperatorFlags) => {
    const { runOperator } = await import('../operator/run.ts')
    await runOperator(context, flags)
  })
}

function names(value: string): readonly string[] {
  const given = value.split(',').map((name) => name.trim())
  if (given.every((name) => name !== '')) return given
  throw new InvalidArgumentError('Names have commas between them: a,b.')
}

function endpoint(value: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = value.indexOf('=')
  const [service, url] = [value.slice(0, Math.max(0, at)), value.slice(at + 1)]
  if (/^[^/]+\/[^/]+$/.test(service) && URL.canParse(url)) return { ...before, [service]: url }
  throw new InvalidArgumentError('A service is written like openshift-monitoring/prometheus-k8s=http://127.0.0.1:9090.')
}

function overrides(value: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const pairs = value.split(',').map((pair) => pair.split('='))
  if (!pairs.every((pair) => pair.length === 2 && pair.every((side) => side !== '')))
    throw new InvalidArgumentError('Overrides are written like example.com/ocp=mirror.local/ocp,other.com=mirror.local/other.')
  return { ...before, ...Object.fromEntries(pairs) }
}

function duration(flags: string, description: string, usual: string): Option {
  return new Option(flags, description).default(parseTime(usual), usual).argParser(parseTime)
}

function parseTime(value: string): number {
  const parsed = tryParseDuration(value)
  if (parsed !== undefined && parsed > 0) return parsed
  throw new InvalidArgumentError('A length of time has a number and a unit: 15s, 1m30s.')
}
