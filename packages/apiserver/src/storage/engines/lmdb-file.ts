import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { StoreError } from '../store.ts'

/**
 * LMDB trusts its file: one that is no LMDB file, or that lost its end, makes it end the process with a signal. So these are looked
 * for before it is let near.
 *
 * Each of the first two pages describes a state of the tree: LMDB's mark at 24, the size of a page at 48, the last page in use at 144, the
 * number of the transaction that wrote it at 152. The newer one counts.
 */
const mark = 0xbe_ef_c0_de
const headLength = 160

/** Pages at the end that were taken and given back within one transaction are never written, so a sound file may be a little short. */
const unwrittenPages = 256

interface Head {
  readonly pageSize: number
  readonly lastPage: bigint
  readonly transaction: bigint
}

/** Throws StoreError when LMDB must not open the file. A missing or empty one is fine: LMDB makes it. */
export function checkLmdbFile(file: string, path: string): void {
  if (!existsSync(file)) return
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    if (size === 0) return
    const first = readHead(descriptor, 0)
    const second = first && readHead(descriptor, first.pageSize)
    if (first === undefined || second === undefined) throw damaged(path, 'it is no LMDB file')
    const { lastPage, pageSize } = second.transaction > first.transaction ? second : first
    const needed = (Number(lastPage) + 1) * pageSize
    if (size + unwrittenPages * pageSize < needed) throw damaged(path, `${size} of ${needed} bytes are left`)
  } finally {
    closeSync(descriptor)
  }
}

function readHead(descriptor: number, at: number): Head | undefined {
  const head = Buffer.alloc(headLength)
  if (readSync(descriptor, head, 0, headLength, at) < headLength || head.readUInt32LE(24) !== mark) return undefined
  return { pageSize: head.readUInt32LE(48), lastPage: head.readBigUInt64LE(144), transaction: head.readBigUInt64LE(152) }
}

function damaged(path: string, detail: string): StoreError {
  return new StoreError(`the data in ${path} is damaged (${detail}): restore a backup, or move it away to start with an empty store`)
}
