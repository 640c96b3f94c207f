import { type History, type HistoryEntry, withEntry } from './history.ts'

/** Who writes the status of an UpgradeConfig. Each owns fields of its own, so that neither undoes what the other wrote. */
export type StatusWriter = 'controller' | 'worker pool'

const owned: Readonly<Record<StatusWriter, readonly (keyof HistoryEntry)[]>> = {
  controller: ['precedingVersion', 'phase', 'startTime', 'completeTime', 'conditions'],
  'worker pool': ['workerStartTime', 'workerCompleteTime'],
}

/**
 * What to write after a conflict: the history as it is stored by now, with the fields of this writer. What was done in the pass has been done, and must
 * not be done again only because somebody else wrote in between.
 */
export function reapplied(stored: History, entry: HistoryEntry, writer: StatusWriter): History {
  const current = stored.find(({ version }) => (version ?? '') === (entry.version ?? ''))
  if (current === undefined) return writer === 'controller' ? withEntry(stored, entry) : stored
  const names = owned[writer]
  const others = Object.entries(current).filter(([name]) => !names.some((ours) => ours === name))
  const ours = Object.entries(entry).filter(([name]) => names.some((own) => own === name))
  // Fields of two entries make an entry: the required ones are in both.
  return withEntry(stored, Object.fromEntries([...others, ...ours]) as HistoryEntry)
}
