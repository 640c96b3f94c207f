/** A request before it is sent: everything in it may be wrong. */
export interface Request {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export function urlOf({ path, query }: Request): string {
  if (query.length === 0) return path
  return `${path}?${query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`
}

/** Whether the answer has no end by itself. */
export function isWatch({ path, query }: Request): boolean {
  return path.includes('/watch') || query.some(([key]) => key === 'watch')
}

/** For a failure's report: short, but enough to send it again. */
export function described(request: Request): string {
  const body = request.body === undefined ? '' : ` ${shortened(request.body)}`
  return `${request.method} ${shortened(Buffer.from(urlOf(request)))} ${JSON.stringify(request.headers)}${body}`
}

function shortened(bytes: Buffer): string {
  return bytes.length > 1500 ? `${bytes.subarray(0, 1500).toString('latin1')}… (${bytes.length} bytes)` : bytes.toString('latin1')
}
