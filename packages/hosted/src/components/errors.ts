/** Whatever was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Thrown when a component's manifest cannot be made: shown on its ControlPlaneComponent. */
export class ManifestError extends Error {
  constructor(component: string, problem: string) {
    super(`component ${component}: ${problem}`)
    this.name = 'ManifestError'
  }
}
