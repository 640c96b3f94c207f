/** Thrown when bytes are no tar archive, a broken one, or one that is larger than allowed. */
export class TarError extends Error {
  override readonly name = 'TarError'
}
