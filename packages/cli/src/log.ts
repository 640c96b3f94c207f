import pino, { type Logger } from 'pino'
import type { LogLevel } from './commands/server-options.ts'

/** One JSON object per line on stderr, written before the call returns: the last words of a process must not be lost. */
export function createLog(level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }))
}
