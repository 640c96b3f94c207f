/**
 * The state before a change, told as its difference from the state after it.
 *
 * Every log entry carries both states. They are mostly the same text, so the older one is kept as pieces to copy from the newer one and
 * pieces of its own. This halves the log (and with it the writes per second that a disk allows), and is several times cheaper
 * than a general compressor.
 *
 * Layout: length of the result, then steps: own length, copied from, copied length, own bytes.
 */
const stepSize = 12

/** Shorter matches cost as much as they save. */
const probeLength = 16

/** Whole blocks are compared natively, the rest byte by byte. */
const blockLength = 128

/** How far ahead of the expected place a piece is looked for. */
const searchLength = 8192

interface Step {
  readonly ownFrom: number
  readonly ownTo: number
  readonly copyFrom: number
  readonly copyLength: number
}

/** What `target` has that `base` has not: `applyDelta(base, encodeDelta(base, target))` equals `target`. */
export function encodeDelta(base: Buffer, target: Buffer): Buffer {
  const steps = findSteps(base, target)
  const own = steps.reduce((sum, step) => sum + step.ownTo - step.ownFrom, 0)
  const delta = Buffer.allocUnsafe(4 + steps.length * stepSize + own)
  let position = delta.writeUInt32LE(target.length, 0)
  for (const { ownFrom, ownTo, copyFrom, copyLength } of steps) {
    position = delta.writeUInt32LE(ownTo - ownFrom, position)
    position = delta.writeUInt32LE(copyFrom, position)
    position = delta.writeUInt32LE(copyLength, position)
    position += target.copy(delta, position, ownFrom, ownTo)
  }
  return delta
}

export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const target = Buffer.allocUnsafe(delta.readUInt32LE(0))
  let filled = 0
  let position = 4
  while (position < delta.length) {
    const ownLength = delta.readUInt32LE(position)
    const copyFrom = delta.readUInt32LE(position + 4)
    const copyLength = delta.readUInt32LE(position + 8)
    position += stepSize
    filled += delta.copy(target, filled, position, position + ownLength)
    position += ownLength
    filled += base.copy(target, filled, copyFrom, copyFrom + copyLength)
  }
  return target
}

/** Walks both texts side by side; where they part, looks ahead in `base` for what comes next in `target`. */
function findSteps(base: Buffer, target: Buffer): readonly Step[] {
  const tail = commonTail(base, target)
  const end = target.length - tail
  const steps: Step[] = []
  let own = 0
  let position = 0
  let expected = 0
  // Widens after each miss, so that two large texts with nothing in common are given up on quickly.
  let stride = probeLength
  while (position < end) {
    const length = matchLength(base, expected, target, position, end)
    if (length >= probeLength) {
      steps.push({ ownFrom: own, ownTo: position, copyFrom: expected, copyLength: length })
      position += length
      expected += length
      own = position
    }
    const replaced = replacedLength(base, expected, target, position, end)
    if (replaced > 0) {
      position += replaced
      expected += replaced
      continue
    }
    const found = find(base, expected, target, position, end)
    if (found === undefined) {
      position += stride
      stride = Math.min(stride * 2, searchLength)
    } else {
      const back = matchBefore(base, found, target, position, own)
      expected = found - back
      position -= back
      stride = probeLength
    }
  }
  if (own < end || tail > 0) steps.push({ ownFrom: own, ownTo: end, copyFrom: base.length - tail, copyLength: tail })
  return steps
}

/** Most changes replace a few characters by as many others: a digit of a revision, a second of a time. */
function replacedLength(base: Buffer, from: number, target: Buffer, position: number, end: number): number {
  for (let length = 1; length <= probeLength; length++) {
    const until = Math.min(position + length + probeLength, end)
    if (matchLength(base, from + length, target, position + length, until) === probeLength) return length
  }
  return 0
}

function find(base: Buffer, from: number, target: Buffer, position: number, end: number): number | undefined {
  if (position + probeLength > end) return undefined
  const at = base.subarray(from, from + searchLength).indexOf(target.subarray(position, position + probeLength))
  return at < 0 ? undefined : from + at
}

function matchLength(base: Buffer, from: number, target: Buffer, position: number, end: number): number {
  const most = Math.min(base.length - from, end - position)
  let length = 0
  while (length + blockLength <= most && equalBlock(base, from + length, target, position + length)) length += blockLength
  while (length < most && base[from + length] === target[position + length]) length++
  return length
}

function matchBefore(base: Buffer, from: number, target: Buffer, position: number, own: number): number {
  const most = Math.min(from, position - own)
  let length = 0
  while (length < most && base[from - length - 1] === target[position - length - 1]) length++
  return length
}

function commonTail(base: Buffer, target: Buffer): number {
  const most = Math.min(base.length, target.length)
  let length = 0
  while (
    length + blockLength <= most &&
    equalBlock(base, base.length - length - blockLength, target, target.length - length - blockLength)
  ) {
    length += blockLength
  }
  while (length < most && base[base.length - length - 1] === target[target.length - length - 1]) length++
  return length
}

function equalBlock(base: Buffer, from: number, target: Buffer, position: number): boolean {
  return target.compare(base, from, from + blockLength, position, position + blockLength) === 0
}
