/** Machine templates of the providers that node pools can use. New content gets a new name; none is ever changed. */
export { AgentMachineTemplate } from './agent-machine-template.ts'
export { AWSMachineTemplate } from './aws-machine-template.ts'
export { KubevirtMachineTemplate } from './kubevirt-machine-template.ts'
