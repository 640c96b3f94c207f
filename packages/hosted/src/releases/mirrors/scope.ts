/**
 * What a source names: a host (`example.com:5000`), every host below a domain (`*.example.com`), or a path in a host, with everything below it.
 */
const pattern =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:]+\])(?::\d{1,5})?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/

export function isScope(text: string): boolean {
  return pattern.test(text)
}

/** Wildcards stand for hosts, and only for sources: nobody can ask every host of a domain. */
export function isPlace(text: string): boolean {
  return isScope(text) && !text.startsWith('*.')
}

/**
 * How much of `path` (`host/repository`) the scope covers: the number of characters from its start, 0 when it is outside. A scope ends
 * where a component ends: `example.com/ocp` does not cover `example.com/ocpx`.
 */
export function coveredLength(scope: string, path: string): number {
  if (scope.startsWith('*.')) {
    const slash = path.indexOf('/')
    const host = slash < 0 ? path : path.slice(0, slash)
    return host.endsWith(scope.slice(1)) && host.length > scope.length - 1 ? host.length : 0
  }
  if (!path.startsWith(scope)) return 0
  return path.length === scope.length || path[scope.length] === '/' ? scope.length : 0
}
