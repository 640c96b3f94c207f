import { notify } from '../effects/effect.ts'
import { type Step, stepDone } from './step.ts'

export const sendCompletedNotification: Step = {
  type: 'CompletedNotificationSent',
  name: 'Send completed notification',
  decide: () => stepDone(notify('StateCompleted')),
}
