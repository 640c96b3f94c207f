import type { Attention, ComponentView, ExposureState, PoolView, SkewVerdict, StepView } from '@windlass/fleet/contract'

/** Worst first: the order in which people want to see them. */
export const attentions = [
  'Stalled',
  'Failing',
  'Unknown',
  'Upgrading',
  'Installing',
  'Deleting',
  'Paused',
  'Steady',
] as const satisfies readonly Attention[]

/** Worst first. */
export const skewVerdicts = ['Violated', 'AtLimit', 'Unknown', 'Allowed'] as const satisfies readonly SkewVerdict[]

/** Worst first. */
export const exposureStates = ['Vulnerable', 'Unknown', 'Pending', 'Fixed'] as const satisfies readonly ExposureState[]

/** How something is, in a word that chooses its colour and its sign. Never the colour alone: the sign and the word are always there too. */
export type Tone = 'bad' | 'warn' | 'busy' | 'good' | 'odd' | 'quiet'

const attentionTones: Readonly<Record<Attention, Tone>> = {
  Stalled: 'bad',
  Failing: 'bad',
  Unknown: 'odd',
  Upgrading: 'busy',
  Installing: 'busy',
  Deleting: 'quiet',
  Paused: 'warn',
  Steady: 'good',
}

const poolTones: Readonly<Record<PoolView['state'], Tone>> = {
  Stalled: 'bad',
  Unknown: 'odd',
  Progressing: 'busy',
  Paused: 'warn',
  Completed: 'good',
}

const componentTones: Readonly<Record<ComponentView['state'], Tone>> = {
  Failing: 'bad',
  Unknown: 'odd',
  Rolling: 'busy',
  Waiting: 'warn',
  Behind: 'quiet',
  Done: 'good',
}

const skewTones: Readonly<Record<SkewVerdict, Tone>> = { Violated: 'bad', AtLimit: 'warn', Unknown: 'odd', Allowed: 'good' }
const exposureTones: Readonly<Record<ExposureState, Tone>> = { Vulnerable: 'bad', Pending: 'busy', Unknown: 'odd', Fixed: 'good' }
const stepTones: Readonly<Record<StepView['state'], Tone>> = { Failed: 'bad', Running: 'busy', Waiting: 'quiet', Done: 'good' }

export const attentionTone = (state: Attention): Tone => attentionTones[state]
export const poolTone = (state: PoolView['state']): Tone => poolTones[state]
export const componentTone = (state: ComponentView['state']): Tone => componentTones[state]
export const skewTone = (verdict: SkewVerdict): Tone => skewTones[verdict]
export const exposureTone = (state: ExposureState): Tone => exposureTones[state]
export const stepTone = (state: StepView['state']): Tone => stepTones[state]

const skewWords: Readonly<Record<SkewVerdict, string>> = {
  Violated: 'Violated',
  AtLimit: 'At limit',
  Unknown: 'Unknown',
  Allowed: 'Allowed',
}

export const skewWord = (verdict: SkewVerdict): string => skewWords[verdict]
