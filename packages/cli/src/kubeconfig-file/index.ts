/**
 * Kubeconfigs on disk.
 *
 * - `write.ts`: the file that a server leaves for its clients, and the refusal to overwrite anything else.
 * - `read.ts`: from a file to what a connection needs.
 */
export { parseKubeconfig, readKubeconfig } from './read.ts'
export type { Access } from './read.ts'
export { assertReplaceable, writeKubeconfig } from './write.ts'
