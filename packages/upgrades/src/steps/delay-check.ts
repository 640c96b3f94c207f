import { notify } from '../effects/effect.ts'
import { startOf } from '../upgrade-config/history.ts'
import { type Step, stepDone, unlessCommenced } from './step.ts'

/** Tells once that an upgrade has not commenced in good time. It never holds anything up, and shares the condition of the step before it. */
export const delayCheck: Step = {
  type: 'StartedNotificationSent',
  name: 'Delay check',
  decide: (pass) =>
    unlessCommenced(pass, () => {
      const { entry, config, now } = pass
      const trigger = config['upgradeWindow.delayTrigger'] * config.minute
      return trigger > 0 && now > startOf(entry, now) + trigger ? stepDone(notify('StateDelayed')) : stepDone()
    }),
}
