import { InvalidArgumentError } from 'commander'

/** In the folder the command is run in, so that each project has data of its own. */
export const defaultDataFolder = '.windlass/data'

/** An empty path would silently mean the current folder. */
export function folderPath(value: string): string {
  if (value !== '') return value
  throw new InvalidArgumentError('The name of a folder must not be empty.')
}

export function filePath(value: string): string {
  if (value !== '' && !value.endsWith('/')) return value
  throw new InvalidArgumentError('It must name a file.')
}
