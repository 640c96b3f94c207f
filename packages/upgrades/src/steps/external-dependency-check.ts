import { look } from '../observed/look.ts'
import { failed, type Step, stepDone, unlessCommenced } from './step.ts'

export const externalDependencyCheck: Step = {
  type: 'ExternalDependenciesAvailable',
  name: 'External dependency check',
  decide: (pass) =>
    unlessCommenced(pass, () => {
      const { config, facts } = pass
      if (config['extDependencyAvailabilityChecks.http.urls'].length === 0) return stepDone()
      if (facts.dependencies === undefined) return look('dependencies')
      return 'problem' in facts.dependencies ? failed(facts.dependencies.problem) : stepDone()
    }),
}
