import { notify } from '../effects/effect.ts'
import { type Step, stepDone, unlessCommenced } from './step.ts'

export const sendStartedNotification: Step = {
  type: 'StartedNotificationSent',
  name: 'Send started notification',
  decide: (pass) => unlessCommenced(pass, () => stepDone(notify('StateStarted'))),
}
