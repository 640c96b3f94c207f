import type { DashboardServer } from '@windlass/fleet'
import { classicSample } from '../laptop/classic/sample.ts'
import type { SampleCluster, SampleRole } from '../laptop/sample-fleet.ts'
import { shellWord } from '../output.ts'
import type { Ready } from '../serve.ts'
import { version } from '../version.ts'
import { usualPagePort, usualPort } from './server-options.ts'
import type { UpFlags } from './up.ts'

type Flags = Pick<UpFlags, 'port' | 'dashboardPort' | 'speed' | 'controllers' | 'classic' | 'ignitionAt'>

/** What somebody who has just started it wants to know. Every command in it can be copied as it is. */
export function welcome(
  ready: Ready,
  flags: Flags,
  fleet: readonly SampleCluster[],
  page?: Pick<DashboardServer, 'link' | 'port'>,
): string {
  const { url, port, kubeconfig, dataFolder } = ready
  const isElsewhere = flags.port === undefined && port !== usualPort
  return [
    `Windlass ${version} is up at ${url}`,
    ...(isElsewhere ? [`(port ${usualPort} is in use, so it took a free one)`] : []),
    '',
    `  data        ${dataFolder ?? 'in memory: gone when this ends'}`,
    `  kubeconfig  ${kubeconfig}`,
    `  fleet       ${described(fleet, flags)}`,
    ...(page === undefined ? [] : pageLines(page, flags)),
    '',
    'Next, in another terminal:',
    `  export KUBECONFIG=${shellWord(kubeconfig)}`,
    ...(flags.controllers === 'none'
      ? [`  npx windlass operator --release-catalogue sample --ignition-port ${ignitionPortOf(flags)}`]
      : []),
    '  kubectl get hostedclusters,nodepools -A',
    ...(fleet.length === 0 ? [] : ['  npx windlass fleet']),
    ...attempts(fleet, flags).flatMap(([what, ...lines]) => ['', what, ...lines.map((line) => `  ${line}`)]),
    '',
    'Ctrl-C ends it.',
  ].join('\n')
}

/** Whoever opens the link has all rights, as the kubeconfig has; it is a rehearsal. */
function pageLines({ link, port }: Pick<DashboardServer, 'link' | 'port'>, { dashboardPort }: Flags): readonly string[] {
  return [
    `  web page    ${link}`,
    '              opens once, and may change what it shows: upgrade clusters, pause them',
    ...(dashboardPort === undefined && port !== usualPagePort
      ? [`              (port ${usualPagePort} is in use, so it took a free one)`]
      : []),
  ]
}

function described({ length }: readonly SampleCluster[], { speed, controllers }: Flags): string {
  const clusters = `${length} hosted cluster${length === 1 ? '' : 's'}`
  if (controllers === 'none') return `${clusters} to be made by controllers that do not run here`
  if (length === 0) return 'none; hosted clusters that you ask for are made'
  return `${clusters}, simulated at ${speed} times the speed of real ones`
}

type Attempt = readonly [what: string, ...lines: readonly string[]]

/** Things to try with the clusters that an empty folder is given. */
function attempts(fleet: readonly SampleCluster[], flags: Flags): readonly Attempt[] {
  const steady = named(fleet, 'steady')
  const stalled = named(fleet, 'stalled')
  const blocked = named(fleet, 'blocked-pool')
  const old = named(fleet, 'old-pool')
  return [
    ...(steady === undefined ? [] : [watched, upgraded(steady), entered(steady)]),
    ...(stalled === undefined ? [] : [mended(stalled)]),
    ...(blocked === undefined ? [] : [unblocked(blocked)]),
    ...(old === undefined ? [] : [planned(old)]),
    ...(flags.classic && flags.controllers === 'all' ? [followed(flags)] : []),
  ]
}

function named(fleet: readonly SampleCluster[], role: SampleRole): string | undefined {
  return fleet.find((cluster) => cluster.role === role)?.name
}

const watched: Attempt = ['Watch versions move, until Ctrl-C:', 'kubectl get hostedclusters -A -w']

function upgraded(name: string): Attempt {
  const patch = '{"spec":{"release":{"image":"example.com/ocp/release:4.19.15-x86_64"}}}'
  return [
    `Upgrade ${name} when it is Completed, and look at the parts of its control plane:`,
    `kubectl -n clusters patch hostedcluster ${name} --type=merge -p '${patch}'`,
    `kubectl -n clusters-${name} get controlplanecomponents`,
  ]
}

function entered(name: string): Attempt {
  return [`Go into ${name} itself:`, kubeconfigOf(name), `kubectl --kubeconfig ${name}.kubeconfig get clusterversion,clusteroperators`]
}

function mended(name: string): Attempt {
  return [
    `${name} stalls in its upgrade: an image cannot be pulled. Ask why, see it, then let it be pulled:`,
    `npx windlass why ${name}`,
    `kubectl -n clusters-${name} get pods -l app=kube-apiserver`,
    `kubectl annotate namespace clusters-${name} simulator.windlass.dev/fail-`,
  ]
}

function unblocked(name: string): Attempt {
  return [
    `Nodes of ${name} are upgraded, and a disruption budget stands in the way. See it, then take it away:`,
    `kubectl -n clusters-${name} get machines`,
    kubeconfigOf(name),
    `kubectl --kubeconfig ${name}.kubeconfig -n shop get poddisruptionbudgets,pods`,
    `kubectl --kubeconfig ${name}.kubeconfig -n shop delete poddisruptionbudget checkout`,
  ]
}

function planned(name: string): Attempt {
  return [`A pool of ${name} is as old as it may be. Ask what that means for the next upgrade:`, `npx windlass skew ${name} --to 4.21.1`]
}

function followed({ speed }: Flags): Attempt {
  const { name, upgradeAfter } = classicSample
  return [
    `${name} is a classic cluster. Its managed upgrade begins ${spelled(upgradeAfter / speed)} after the first start; see how it goes:`,
    kubeconfigOf(name, 'kube-system', `${name}-kubeconfig`),
    `npx windlass upgrade show --kubeconfig ${name}.kubeconfig`,
    `npx windlass status --kubeconfig ${name}.kubeconfig`,
    `kubectl --kubeconfig ${name}.kubeconfig get upgradeconfigs -A`,
  ]
}

/** `2 minutes`, `24 seconds`. */
function spelled(milliseconds: number): string {
  const [count, unit] = milliseconds < 90_000 ? [Math.ceil(milliseconds / 1000), 'second'] : [Math.round(milliseconds / 60_000), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function kubeconfigOf(name: string, namespace = 'clusters', secret = `${name}-admin-kubeconfig`): string {
  return `kubectl -n ${namespace} get secret ${secret} -o 'go-template={{.data.kubeconfig|base64decode}}' > ${name}.kubeconfig`
}

/** The one that machines of OpenShift clusters always ask. */
export const usualIgnitionPort = 22_623

function ignitionPortOf({ ignitionAt }: Flags): number {
  return ignitionAt?.port ?? usualIgnitionPort
}
