/**
 * What can go wrong on purpose, and with what.
 *
 * | mode | with | what happens | when it is taken away |
 * |---|---|---|---|
 * | `image-pull` | Pods that start | the image cannot be fetched: `ImagePullBackOff` | it is fetched at once |
 * | `crash-loop` | Pods | containers end with 1 soon after they start; `times=3` of them only | the next start goes well |
 * | `never-ready` | Pods | containers run, and their readiness probe fails | they are ready at once, if they have run for long enough |
 * | `slow` | everything | all that has not happened yet takes ten times as long, or `factor=` times | it goes on at the usual speed |
 * | `never-gone` | Pods | they do not end when they are deleted, until somebody deletes them without grace | they end |
 * | `no-address` | Services | the cloud makes no load balancer | it does |
 * | `not-admitted` | Routes | no router takes it | one does |
 * | `no-dns` | Services, Routes | the name cannot be looked up | it can |
 */
export const failureModes = [
  'image-pull',
  'crash-loop',
  'never-ready',
  'slow',
  'never-gone',
  'no-address',
  'not-admitted',
  'no-dns',
] as const
export type FailureMode = (typeof failureModes)[number]

/** Something that goes wrong. What it is limited to must all hold. */
export interface Failure {
  readonly mode: FailureMode
  /** Only objects of this name; `*` stands for anything: `kube-apiserver-*`. */
  readonly name?: string
  /** Only Pods with a container whose image has this in it: a digest, a version. */
  readonly image?: string
  /** How many times as long everything takes, when it is slow; 10 unless told. */
  readonly factor?: number
  /** How many starts go wrong, in a crash loop; all of them unless told. */
  readonly times?: number
}

/** The same, from a scenario instead of an annotation. */
export interface PlannedFailure extends Failure {
  /** Only in namespaces of this name; `*` stands for anything. All of them unless told. */
  readonly namespace?: string
}

/** Whom a failure may concern. */
export interface Subject {
  readonly namespace: string
  readonly name: string
  /** Of a Pod; empty for anything else. */
  readonly images: readonly string[]
}

export function concerns({ name, image, namespace }: PlannedFailure, subject: Subject): boolean {
  return (
    (namespace === undefined || fits(namespace, subject.namespace)) &&
    (name === undefined || fits(name, subject.name)) &&
    (image === undefined || subject.images.some((each) => each.includes(image)))
  )
}

/** Whether a text is of the form of a pattern, in which `*` stands for anything. */
function fits(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let position = first.length
  for (const part of others) {
    const found = text.indexOf(part, position)
    if (found < 0 || found + part.length > text.length - last.length) return false
    position = found + part.length
  }
  return true
}
