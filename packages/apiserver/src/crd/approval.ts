import { invalid, required, type FieldError } from '../errors/field-error.ts'
import { text, type Definition } from './model.ts'

const annotation = 'api-approved.kubernetes.io'
const policy = 'see https://github.com/kubernetes/enhancements/pull/1111'

export interface Approval {
  readonly state: 'missing' | 'invalid' | 'approved' | 'bypassed'
  readonly reason: string
}

/** Groups of the Kubernetes project itself need the approval of its reviewers, named in an annotation. */
export function approvalOf(definition: Definition): Approval | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(definition.group)) return undefined
  const given = text(definition.annotations[annotation])
  if (given === '') return { state: 'missing', reason: `protected groups must have approval annotation "${annotation}", ${policy}` }
  if (given.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${JSON.stringify(given)}` }
  if (URL.canParse(given) && new URL(given).host !== '') return { state: 'approved', reason: `approved in ${given}` }
  const reason = `protected groups must have approval annotation "${annotation}" with either a URL or a reason starting with "unapproved", ${policy}`
  return { state: 'invalid', reason }
}

/** An unchanged state is never refused: the definition is there already. */
export function approvalErrors(definition: Definition, before: Definition | undefined): readonly FieldError[] {
  const approval = approvalOf(definition)
  if (approval === undefined || (before !== undefined && approvalOf(before)?.state === approval.state)) return []
  const field = `metadata.annotations[${annotation}]`
  if (approval.state === 'missing') return [required(field, approval.reason)]
  return approval.state === 'invalid' ? [invalid(field, text(definition.annotations[annotation]), approval.reason)] : []
}
