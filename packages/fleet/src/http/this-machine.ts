/** Whether an address or a name leads to this machine and nowhere else. */
export function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|(::ffff:)127(\.\d{1,3}){3})$/i.test(host)
}

/** The name in `name:port`, where the name may be an address in brackets. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '')
}
