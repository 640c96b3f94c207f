import { defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { list, map, numberOrText, openObject, optional, text } from '../schema/index.ts'

const prometheusDuration = '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$'

const promRule = openObject('One alert or one recorded series.', {
  alert: optional(text('The name of the alert.')),
  record: optional(text('The name of the series.')),
  expr: numberOrText('The query.'),
  for: optional(text('How long it must hold before the alert fires.', { pattern: prometheusDuration })),
  keep_firing_for: optional(text('How long the alert goes on after it holds no more.', { minLength: 1, pattern: prometheusDuration })),
  labels: optional(map('Labels to add.', text('A value.'))),
  annotations: optional(map('What to tell people.', text('A value.'))),
})

/** Alerts and recorded series for Prometheus. Belongs to the Prometheus operator; this is the part of it that we write. */
export const PrometheusRule = defineKind({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'PrometheusRule',
  plural: 'prometheusrules',
  shortNames: ['promrule'],
  categories: ['prometheus-operator'],
  description: 'Alerts and recorded series for Prometheus.',
  spec: openObject('The rules.', {
    groups: optional(
      list(
        'Groups of rules; those of one are evaluated in order.',
        openObject('One group.', {
          name: text('Its name.', { minLength: 1 }),
          interval: optional(text('How often it is evaluated.', { pattern: prometheusDuration })),
          rules: optional(list('Its rules.', promRule)),
        }),
        { keys: ['name'] },
      ),
    ),
  }),
})
export type PrometheusRule = ObjectOf<typeof PrometheusRule>
