/** Thrown when a kubeconfig does not say how to reach a cluster. The message is one sentence that names the file and the field, and quotes no secrets. */
export class KubeconfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'KubeconfigError'
  }
}

/** Why a file cannot be read, in words. */
export function fileProblem(error: unknown): string {
  const words: Readonly<Record<string, string>> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ENOENT: 'there is no such file',
    ENOTDIR: 'a file is in the place of one of its folders',
    EISDIR: 'it is a folder',
  }
  return words[systemCode(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))
}

/** The code of an error of the system (`ENOENT`); undefined for others. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
