/** The only source of chance and of identifiers: seeded in simulation, the system's in production. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform integer in [0, bound). */
  below(bound: number): number
  /** A version 4 UUID. */
  uuid(): string
  /** `length` bytes, for secrets and keys. */
  bytes(length: number): Uint8Array
}
