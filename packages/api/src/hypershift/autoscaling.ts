import { choice, int32, list, object, optional, rule, text } from '../schema/index.ts'

const seconds = (description: string) => int32(description, { minimum: 0, maximum: 86_400 })
const percent = (description: string) => int32(description, { minimum: 0, maximum: 100 })

const labelKey = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[a-zA-Z0-9]([a-zA-Z0-9_.-]{0,61}[a-zA-Z0-9])?$`

/** How the cluster autoscaler of the guest behaves. Which pools it may scale is said on the pools. */
export const autoscaling = object(
  'How the cluster autoscaler behaves.',
  {
    scaling: optional(choice('Whether it removes nodes too.', ['ScaleUpOnly', 'ScaleUpAndScaleDown'], { default: 'ScaleUpAndScaleDown' })),
    scaleDown: optional(
      object('When nodes are removed.', {
        delayAfterAddSeconds: optional(seconds('How long to wait after adding one.')),
        delayAfterDeleteSeconds: optional(seconds('How long to wait after removing one.')),
        delayAfterFailureSeconds: optional(seconds('How long to wait after failing to remove one.')),
        unneededDurationSeconds: optional(seconds('How long a node must have been unneeded.')),
        utilizationThresholdPercent: optional(percent('Below which use a node counts as unneeded.')),
      }),
    ),
    expanders: optional(
      list('How to choose among pools, in order.', choice('One way.', ['LeastWaste', 'Priority', 'Random']), { minItems: 1, maxItems: 3 }),
    ),
    balancingIgnoredLabels: optional(
      list('Labels that do not make two pools different.', text('A label.', { maxLength: 317 }), {
        maxItems: 64,
        rules: [rule(`self.all(label, label.matches('${labelKey}'))`, 'Each balancingIgnoredLabels item must be a valid label key')],
      }),
    ),
    maxFreeDifferenceRatioPercent: optional(percent('How much free capacity may differ between similar pools.')),
    maxNodeProvisionTime: optional(
      text('How long a node may take to come up.', { maxLength: 100, pattern: String.raw`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$` }),
    ),
    maxNodesTotal: optional(int32('How many nodes there may be in all.', { minimum: 0 })),
    maxPodGracePeriod: optional(int32('How many seconds a pod gets to end before its node goes.', { minimum: 0 })),
    podPriorityThreshold: optional(int32('Pods below this priority neither bring nor keep nodes.')),
  },
  {
    rules: [
      rule(
        "!has(self.scaleDown) || self.scaling == 'ScaleUpAndScaleDown'",
        'scaleDown can only be set when scaling is ScaleUpAndScaleDown',
      ),
    ],
  },
)

/** Nodes without pools, made to measure. */
export const autoNode = object('Nodes without pools, made to measure.', {
  provisionerConfig: object(
    'Who makes them.',
    {
      name: choice('The provisioner.', ['Karpenter']),
      karpenter: optional(
        object(
          'For Karpenter.',
          {
            platform: choice('The platform it works on.', ['AWS'], { maxLength: 100 }),
            aws: optional(
              object('For AWS.', {
                roleARN: text('The role it takes.', {
                  maxLength: 2048,
                  rules: [
                    rule(
                      "self.matches('^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role/.+$')",
                      'roleARN must be a valid AWS IAM role ARN (e.g. arn:aws:iam::123456789012:role/MyRole)',
                    ),
                  ],
                }),
              }),
            ),
          },
          { rules: [rule("(self.platform == 'AWS') == has(self.aws)", 'aws is required when platform is AWS, and forbidden otherwise')] },
        ),
      ),
    },
    {
      rules: [
        rule("(self.name == 'Karpenter') == has(self.karpenter)", 'karpenter is required when name is Karpenter, and forbidden otherwise'),
      ],
    },
  ),
})

export const autoNodeStatus = object(
  'What was made to measure.',
  {
    nodeCount: optional(int32('Nodes.', { minimum: 0 })),
    nodeClaimCount: optional(int32('Claims for nodes.', { minimum: 0 })),
    vcpus: optional(int32('Their processors in all.', { minimum: 0, maximum: 1_000_000 })),
  },
  { minProperties: 1 },
)
