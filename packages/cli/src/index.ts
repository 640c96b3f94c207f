/**
 * The `windlass` command: puts the parts together and speaks to people.
 *
 * - `main.ts`: the program; takes arguments, gives an exit status. `bin/windlass.js` is the shell around it.
 * - `commands/`: one file per command: its options, its help, what it does.
 * - `views/`: the commands that show things: where objects come from, what is made of them, how it looks.
 * - `dashboard/`: the web page, as `dashboard` and `up` serve it; contexts of a kubeconfig as members of a fleet.
 * - `node-pools/`: what people ask for node pools: to create and to scale them.
 * - `laptop/`: what `up` runs beside its server: controllers, simulator, a sample fleet. `operator/`, `simulator/`: what the commands of these names run.
 * - `serve.ts`: what `apiserver` and `up` share: start, write the kubeconfig, say so, wait for the end. `stop-signals.ts`: Ctrl-C.
 * - `definitions.ts`: the CustomResourceDefinitions that a server starts with.
 * - `kubeconfig-file/`: writes the file for others, reads it for ourselves.
 * - `completion/`: completion scripts for shells, from the commands as they are.
 * - `failures.ts`: an error becomes one sentence and a status. `output.ts`: where sentences go. `log.ts`: where problems go.
 *
 * What each command loads beyond that, it loads when it runs: help and completion answer at once.
 */
export { completionScript, shells } from './completion/index.ts'
export type { Shell } from './completion/index.ts'
export type { Context } from './context.ts'
export { explainFailure, Failure } from './failures.ts'
export { readKubeconfig, writeKubeconfig } from './kubeconfig-file/index.ts'
export type { Access } from './kubeconfig-file/index.ts'
export { createProgram, main, systemContext } from './main.ts'
