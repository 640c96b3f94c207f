import type { Log } from '../../log.ts'
import type { ControllerMetrics, QueueMetrics, RuntimeMetrics } from '../../metrics/metrics.ts'

export interface Message {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A log that tests can read. */
export function recordedLog(messages: Message[], context: object = {}): Log {
  const record =
    (level: Message['level']) =>
    (fields: object, message: string): void =>
      void messages.push({ level, message, fields: { ...context, ...fields } })
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    child: (fields) => recordedLog(messages, { ...context, ...fields }),
  }
}

/** Metrics that tests can read: `pools finished success 0.5`. */
export function recordedMetrics(counts: string[]): RuntimeMetrics {
  const count = (text: string): void => void counts.push(text)
  return {
    controller(name, maxConcurrent): ControllerMetrics {
      count(`${name} has ${maxConcurrent} workers`)
      return {
        started: () => count(`${name} started`),
        finished: (result, seconds) => count(`${name} finished ${result} ${seconds}`),
        terminalError: () => count(`${name} terminal error`),
        panicked: () => count(`${name} panicked`),
        timedOut: () => count(`${name} timed out`),
        waitedForCache: (seconds) => count(`${name} waited for cache ${seconds}`),
      }
    },
    queue: (): QueueMetrics => ({ added: () => {}, retried: () => {}, waited: () => {}, worked: () => {} }),
    cache: () => {},
    request: () => {},
    leader: () => {},
  }
}
