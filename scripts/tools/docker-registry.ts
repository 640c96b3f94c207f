import { findProgram } from './program.ts'

/** The image registry that Debian calls `docker-registry`. Errors: as those of `findProgram`. */
export function findDockerRegistry(): Promise<string> {
  return findProgram({ name: 'docker-registry', package: 'docker-registry' })
}
