/** Answers up to this size are sent as they are: compressing them costs more time than it saves. */
const compressedFrom = 128 * 1024

/** Whether an answer of so many bytes is sent with gzip. Watches never are; do not ask for them. */
export function shouldCompress(acceptEncoding: string | undefined, bytes: number): boolean {
  if (bytes <= compressedFrom || acceptEncoding === undefined) return false
  return acceptEncoding.split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return coding === 'gzip' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}

/** Whether people will read the answer: they said so, or their user agent is a browser or a tool of the command line. */
export function wantsPretty(parameter: string | undefined, userAgent: string | undefined): boolean {
  if (parameter !== undefined) return parameter === '' || parameter === 'true' || parameter === '1'
  return /^(?:curl|Wget|Mozilla\/)/.test(userAgent ?? '')
}
