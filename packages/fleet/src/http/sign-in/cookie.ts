/** The cookie of a session. Cookies of one machine are shared by all ports of it, so its name has the port in it. */
export interface CookieOptions {
  readonly port: number
  readonly isSecure: boolean
}

/** `__Host-` makes browsers refuse one that somebody else has set for a wider name. */
function cookieName({ port, isSecure }: CookieOptions): string {
  return `${isSecure ? '__Host-' : ''}windlass-session-${port}`
}

export function readCookie(header: string | undefined, options: CookieOptions): string | undefined {
  const name = cookieName(options)
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** Never read by scripts, never sent along from other pages. Without a value, it is taken away. */
export function cookieHeader(value: string | undefined, options: CookieOptions): string {
  const end = value === undefined ? '; Max-Age=0' : ''
  return `${cookieName(options)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Strict${options.isSecure ? '; Secure' : ''}${end}`
}
