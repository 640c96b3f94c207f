import { capi, Secret } from '@windlass/api'
import { aCapiMachine, aCapiMachineSet } from '@windlass/api/fixtures'
import { type Instant, kubernetesMinor, parseVersion } from '@windlass/core'
import type { World } from '../../hosted-cluster/testing/index.ts'
import { rolloutBounds } from '../machines/index.ts'
import { applyToStore, concludePayload, decideToken, decoded, PayloadStore } from '../token/index.ts'
import { Annotation } from '../wire.ts'

const home = 'clusters-prod'

interface Options {
  /** Steps from the first to the last moment of starting. */
  readonly bootSteps?: number
  /** Why payloads cannot be made. */
  readonly payloadProblem?: string
}

/**
 * What Cluster API, the ignition server and the machines would do, as far as a pool can tell: one step at a time, by the specification's rules for rollouts.
 * It remembers the most machines and the fewest available ones that there were.
 */
export class Provider {
  readonly store = new PayloadStore()
  readonly #world: World
  readonly #bootSteps: number
  readonly #payloadProblem: string | undefined
  readonly #age = new Map<string, number>()
  #serial = 0
  mostMachines = 0
  fewestAvailable = Number.POSITIVE_INFINITY

  constructor(world: World, { bootSteps = 2, payloadProblem }: Options = {}) {
    this.#world = world
    this.#bootSteps = bootSteps
    this.#payloadProblem = payloadProblem
  }

  /** Starts to count anew. */
  forget(): void {
    this.mostMachines = 0
    this.fewestAvailable = Number.POSITIVE_INFINITY
  }

  step(now: Instant): void {
    this.#tokens(now)
    for (const deployment of this.#world.list(capi.MachineDeployment)) this.#roll(deployment)
    for (const set of this.#sets()) this.#scale(set, now)
    for (const machine of this.#machines()) this.#live(machine)
    for (const set of this.#sets()) this.#count(set)
    for (const deployment of this.#world.list(capi.MachineDeployment)) this.#summarize(deployment)
    this.mostMachines = Math.max(this.mostMachines, this.#machines().length)
    this.fewestAvailable = Math.min(this.fewestAvailable, this.#machines().filter(isUp).length)
  }

  #tokens(now: Instant): void {
    for (const secret of this.#world.list(Secret)) {
      if (secret.metadata.annotations?.[Annotation.ignitionConfig] !== 'true') continue
      const fresh = `11111111-0000-4000-8000-${String((this.#serial += 1)).padStart(12, '0')}`
      const decision = decideToken(secret, this.store, now, fresh)
      if (decision.do === 'generate') {
        const problem = this.#payloadProblem
        const generated =
          problem === undefined ? ({ is: 'made', payload: '{}' } as const) : ({ is: 'failed', message: problem, isPending: false } as const)
        this.#world.carryOut(concludePayload(secret, generated), now)
        const payload = { payload: '{}', cloudConfigHash: decoded(secret, 'cloud-config-hash') ?? '' }
        if (problem === undefined) this.store.keep(decoded(secret, 'token') ?? '', payload, now)
        continue
      }
      if ('actions' in decision) this.#world.carryOut(decision.actions, now)
      applyToStore(decision, this.store, now)
    }
  }

  #roll(deployment: capi.MachineDeployment): void {
    const { metadata, spec } = deployment
    if (metadata.annotations?.[Annotation.paused] === 'true') return
    const { replicas = 0, strategy } = spec
    const newest = this.#newest(deployment)
    const old = this.#setsOf(deployment).filter((set) => set.metadata.name !== newest.metadata.name)
    if (strategy?.type === 'OnDelete') {
      for (const set of old) this.#resize(set, this.#machinesOf(set).length)
      this.#resize(newest, Math.max(0, replicas - sum(old.map((set) => this.#machinesOf(set).length))))
      return
    }
    const { mostMachines, leastAvailable } = rolloutBounds(replicas, strategy?.rollingUpdate)
    const wanted = newest.spec.replicas ?? 0
    const total = sum([newest, ...old].map((set) => set.spec.replicas ?? 0))
    const grown = Math.max(wanted, Math.min(replicas, wanted + Math.max(0, mostMachines - total)))
    this.#resize(newest, Math.min(grown, replicas))
    const available = (set: capi.MachineSet): number => this.#machinesOf(set).filter(isUp).length
    const notYet = Math.min(grown, replicas) - available(newest)
    let budget = Math.max(0, sum(old.map((set) => set.spec.replicas ?? 0)) + Math.min(grown, replicas) - leastAvailable - notYet)
    for (const set of old) {
      const less = Math.min(budget, set.spec.replicas ?? 0)
      budget -= less
      this.#resize(set, (set.spec.replicas ?? 0) - less)
    }
  }

  #newest(deployment: capi.MachineDeployment): capi.MachineSet {
    const wanted = madeFrom(deployment.spec.template)
    const known = this.#setsOf(deployment).find((set) => madeFrom(set.spec.template) === wanted)
    if (known !== undefined) return known
    const made = aCapiMachineSet({
      name: `${deployment.metadata.name ?? ''}-${(this.#serial += 1)}`,
      namespace: home,
      spec: { ...deployment.spec, replicas: 0, template: deployment.spec.template },
      status: {},
    })
    const labels = { deployment: deployment.metadata.name ?? '' }
    const set = { ...made, metadata: { ...made.metadata, labels, annotations: deployment.metadata.annotations ?? {} } }
    this.#world.put(set)
    return set
  }

  #scale(set: capi.MachineSet, now: Instant): void {
    if (set.metadata.annotations?.[Annotation.paused] === 'true') return
    const machines = this.#machinesOf(set).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const wanted = set.spec.replicas ?? 0
    const doomed = [...machines.filter((machine) => !isUp(machine)), ...machines.filter(isUp).toReversed()]
    for (const machine of doomed.slice(0, Math.max(0, machines.length - wanted))) this.remove(machine, now)
    for (let index = machines.length; index < wanted; index++) this.#create(set)
  }

  #create(set: capi.MachineSet): void {
    const { template } = set.spec
    const made = aCapiMachine({
      name: `${set.metadata.name ?? ''}-${(this.#serial += 1)}`,
      namespace: home,
      ...(template?.spec === undefined ? {} : { spec: template.spec }),
      status: { phase: 'Pending' },
    })
    const metadata = {
      ...made.metadata,
      labels: { ...template?.metadata?.labels, set: set.metadata.name ?? '' },
      annotations: template?.metadata?.annotations ?? {},
    }
    this.#world.put({ ...made, metadata })
  }

  remove(machine: capi.Machine, now: Instant): void {
    this.#world.delete(capi.Machine, { namespace: home, name: machine.metadata.name ?? '' }, now)
  }

  /** A machine starts when its user data are there, and becomes a node when the ignition server knows its token. */
  #live(machine: capi.Machine): void {
    if (isUp(machine) || machine.metadata.deletionTimestamp !== undefined) return
    const { name = '' } = machine.metadata
    const userData = this.#world.find(Secret, { namespace: home, name: machine.spec.bootstrap.dataSecretName ?? '' })
    if (userData === undefined) return
    const age = (this.#age.get(name) ?? 0) + 1
    this.#age.set(name, age)
    if (age < this.#bootSteps) return
    const token = this.#world.find(Secret, { namespace: home, name: (userData.metadata.name ?? '').replace(/^user-data-/, 'token-') })
    if (token === undefined || decoded(token, 'reason') !== 'AsExpected') return
    const version = decoded(token, 'release-version') ?? ''
    this.#world.put({
      ...token,
      metadata: { ...token.metadata, annotations: { ...token.metadata.annotations, [Annotation.ignitionReached]: 'True' } },
    })
    const { status } = aCapiMachine()
    const nodeInfo = { ...status?.nodeInfo, kubeletVersion: `v1.${kubernetesMinor(parseVersion(version))}.0` }
    const up = [...(status?.conditions ?? []), { type: 'NodeHealthy', status: 'True', lastTransitionTime: '2026-03-06T12:00:00Z' }]
    this.#world.put({ ...machine, status: { ...status, nodeInfo, conditions: up, nodeRef: { kind: 'Node', name } } } as capi.Machine)
  }

  #count(set: capi.MachineSet): void {
    const machines = this.#machinesOf(set)
    const availableReplicas = machines.filter(isUp).length
    const conditions = readyWhen(availableReplicas >= (set.spec.replicas ?? 0))
    const status = { replicas: machines.length, readyReplicas: availableReplicas, availableReplicas, conditions }
    this.#world.put({ ...set, status: { ...status, observedGeneration: set.metadata.generation ?? 1 } } as capi.MachineSet)
  }

  #summarize(deployment: capi.MachineDeployment): void {
    const { metadata, spec } = deployment
    const machines = this.#setsOf(deployment).flatMap((set) => this.#machinesOf(set))
    const current = this.#setsOf(deployment).find((set) => madeFrom(set.spec.template) === madeFrom(spec.template))
    const updatedReplicas = current === undefined ? 0 : this.#machinesOf(current).length
    const availableReplicas = machines.filter(isUp).length
    const status = {
      observedGeneration: metadata.generation ?? 1,
      replicas: machines.length,
      updatedReplicas,
      readyReplicas: availableReplicas,
      availableReplicas,
      conditions: readyWhen(availableReplicas >= (spec.replicas ?? 0)),
      v1beta2: { upToDateReplicas: updatedReplicas, availableReplicas, readyReplicas: availableReplicas },
    }
    this.#world.put({ ...deployment, status } as capi.MachineDeployment)
  }

  #resize(set: capi.MachineSet, replicas: number): void {
    const live = this.#world.find(capi.MachineSet, { namespace: home, name: set.metadata.name ?? '' }) ?? set
    if (live.spec.replicas !== replicas) this.#world.put(resized(live, replicas))
  }

  #sets(): readonly capi.MachineSet[] {
    return this.#world.list(capi.MachineSet)
  }

  /** Oldest first. */
  #setsOf(deployment: capi.MachineDeployment): readonly capi.MachineSet[] {
    return this.#sets().filter(({ metadata }) => metadata.labels?.['deployment'] === deployment.metadata.name)
  }

  #machines(): readonly capi.Machine[] {
    return this.#world.list(capi.Machine)
  }

  #machinesOf(set: capi.MachineSet): readonly capi.Machine[] {
    return this.#machines().filter(({ metadata }) => metadata.labels?.['set'] === set.metadata.name)
  }
}

function isUp({ status }: capi.Machine): boolean {
  return status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') === true
}

function resized(set: capi.MachineSet, replicas: number): capi.MachineSet {
  return { ...set, spec: { ...set.spec, replicas } }
}

function readyWhen(isReady: boolean): readonly object[] {
  const lastTransitionTime = '2026-03-06T12:00:00Z'
  return [
    isReady
      ? { type: 'Ready', status: 'True', lastTransitionTime }
      : { type: 'Ready', status: 'False', reason: 'ScalingUp', lastTransitionTime },
  ]
}

function madeFrom(template: capi.MachineSet['spec']['template']): string {
  const { bootstrap, version, infrastructureRef, failureDomain } = template?.spec ?? {}
  return JSON.stringify([bootstrap?.dataSecretName, version, infrastructureRef?.name, failureDomain])
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
