/**
 * Thrown when a body cannot be read as the kind it was sent to. The message is the reason alone; whoever catches it says of which
 * kind, and whether it was an object (400) or a patch (422).
 */
export class DecodeError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'DecodeError'
  }
}
