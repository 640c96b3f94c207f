import { localReference } from '../meta/index.ts'
import { choice, integer, list, object, openObject, optional, rule, text, time } from '../schema/index.ts'

/** How Secrets are encrypted in etcd. The ways of the clouds are kept as they are. */
export const secretEncryption = object('How Secrets are encrypted in etcd.', {
  type: choice('By a key management service or by a key of our own.', ['kms', 'aescbc']),
  kms: optional(openObject('For kms.', { provider: choice('Whose service.', ['IBMCloud', 'AWS', 'Azure']) })),
  aescbc: optional(
    object('For aescbc.', {
      activeKey: localReference('The Secret with the key that encrypts.'),
      backupKey: optional(localReference('The Secret with a key that still decrypts.')),
    }),
  ),
})

const provider = choice('Where the key is.', ['Azure', 'AWS', 'IBMCloud', 'AESCBC'])
const name = (description: string, maxLength = 255) => text(description, { minLength: 1, maxLength })

const memberOf: Readonly<Record<string, string>> = { Azure: 'azure', AWS: 'aws', IBMCloud: 'ibmCloud', AESCBC: 'aescbc' }

const key = (description: string) =>
  object(
    description,
    {
      provider,
      aescbc: optional(
        object('For AESCBC.', {
          dataHash: name('A fingerprint of the key.', 64),
          secret: object('The Secret with the key.', {
            name: text('Its name.', {
              minLength: 1,
              maxLength: 253,
              rules: [
                rule(
                  String.raw`self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')`,
                  'name must consist only of lowercase alphanumeric characters, hyphens, and periods. Each period-separated segment must start and end with an alphanumeric character.',
                ),
              ],
            }),
          }),
        }),
      ),
      aws: optional(
        object('For AWS.', {
          arn: text('The key.', { minLength: 1, maxLength: 2048, rules: [rule("self.startsWith('arn:')", "arn must start with 'arn:'")] }),
        }),
      ),
      azure: optional(
        object('For Azure.', {
          keyName: name('The key.'),
          keyVaultName: name('The vault.'),
          keyVersion: name('The version of the key.'),
        }),
      ),
      ibmCloud: optional(
        object('For IBM Cloud.', {
          correlationID: name('Ties log lines together.'),
          crkID: name('The root key.'),
          instanceID: name('The instance of the service.'),
          keyVersion: integer('The version of the key.', { minimum: 0, maximum: 2_147_483_647 }),
          url: text('The service.', {
            minLength: 1,
            maxLength: 2048,
            rules: [rule("self.startsWith('https://')", "url must start with 'https://'")],
          }),
        }),
      ),
    },
    {
      rules: Object.entries(memberOf).map(([type, member]) =>
        rule(
          `(self.provider == '${type}') == has(self.${member})`,
          `${member} is required when provider is ${type}, and forbidden otherwise`,
        ),
      ),
    },
  )

const fingerprint = (description: string) => object(description, { provider, fingerprint: name('A fingerprint of it.', 64) })

/** Which key is in use, and how a change of keys goes on. */
export const secretEncryptionStatus = object(
  'Which key is in use, and how a change of keys goes on.',
  {
    activeKey: optional(key('The key in use.')),
    targetKey: optional(key('The key that is being changed to.')),
    history: optional(
      list(
        'Changes of keys, newest first.',
        object('One change.', {
          from: fingerprint('The old key.'),
          to: fingerprint('The new key.'),
          state: choice('How far it is.', ['ReadOnlyDeploy', 'WritePromote', 'Migrating', 'Completed', 'Interrupted']),
          startedTime: time('When it began.'),
          completionTime: optional(time('When it ended.')),
        }),
        { minItems: 1, maxItems: 5, as: 'atomic' },
      ),
    ),
  },
  { minProperties: 1 },
)
