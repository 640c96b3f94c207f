import { lettersOf } from '../../identity/index.ts'

/** As many as the server would leave of a name before it adds five of its own. */
const mostOfBase = 58

/** A name that follows from that of the owner, and from what tells the Pod from others of the same owner. */
export function podName(owner: string, distinction: string): string {
  return `${`${owner}-`.slice(0, mostOfBase)}${lettersOf(`${owner}/${distinction}`, 5)}`
}

/**
 * Names for Pods that are to be made: those of the first slots that nobody has. They follow from the name of the owner alone, so that a pass that
 * is repeated because nobody knows what became of it asks for the same Pods again, and not for more.
 *
 * A name may come again when its Pod is gone. That of a Pod that is on its way out is still taken.
 */
export function namesFor(owner: string, count: number, isTaken: (name: string) => boolean): readonly string[] {
  const names: string[] = []
  for (let slot = 0; names.length < count; slot++) {
    const name = podName(owner, String(slot))
    if (!isTaken(name) && !names.includes(name)) names.push(name)
  }
  return names
}
