import type { Namespace } from '@windlass/api'

/** On a namespace: which alerts fire in it. */
export const alertsAnnotation = 'simulator.windlass.dev/alerts'

export type Labels = Readonly<Record<string, string>>

/** Thrown when somebody wrote alerts that cannot be read. It is the answer to every query then: to leave them out would let an upgrade go on. */
export class AlertError extends Error {}

const word = /^[A-Za-z_]\w*$/

/**
 * The alerts that fire in a namespace, by their labels: `EtcdMembersDown; SlowDisk severity=warning device=sda`. They are critical unless told.
 *
 * Errors: an `AlertError` for what cannot be read.
 */
export function alertsIn({ metadata: { name = '', annotations } }: Namespace): readonly Labels[] {
  const text = annotations?.[alertsAnnotation] ?? ''
  return text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [alertname = '', ...settings] = part.split(/\s+/)
      const labels = settings.map((setting): readonly [string, string] => {
        const [label = '', ...value] = setting.split('=')
        if (word.test(label) && value.length > 0) return [label, value.join('=')]
        throw problemWith(name, part, `"${setting}" is no label`)
      })
      if (!word.test(alertname)) throw problemWith(name, part, `"${alertname}" is no name of an alert`)
      return { severity: 'critical', ...Object.fromEntries(labels), namespace: name, alertname, alertstate: 'firing' }
    })
}

function problemWith(namespace: string, part: string, why: string): AlertError {
  return new AlertError(
    `Namespace ${namespace}, annotation ${alertsAnnotation}: "${part}" cannot be understood, ${why}: write <AlertName> and labels behind it, as in SlowDisk severity=warning, and a semicolon between two alerts`,
  )
}
