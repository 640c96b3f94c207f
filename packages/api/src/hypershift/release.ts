import type { TObject } from 'typebox'
import { object, rule, text } from '../schema/index.ts'

const imageFields = {
  image: text('The pullspec of the release image.', {
    minLength: 1,
    maxLength: 253,
    rules: [
      rule(
        String.raw`self.matches('^(\\w+\\S+)$')`,
        'Image must start with a word character (letters, digits, or underscores) and contain no white spaces',
      ),
    ],
  }),
}

export function releaseImage(description: string): TObject<typeof imageFields> {
  return object(description, imageFields)
}

/** Lower-case letters, digits and dashes, as in the names of most objects. */
export const dnsLabel = "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')"

/** The rule of `pausedUntil`: a time, or a boolean as text. */
export const pausedUntilRule = rule(
  String.raw`self in ['true', 'false', 'True', 'False'] || self.matches('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}.*$')`,
  "PausedUntil must be a date in RFC3339 format or 'True', 'true', 'False' or 'false'",
)
