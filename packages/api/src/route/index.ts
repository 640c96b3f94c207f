/** `route.openshift.io`: names of the outside. Our CRD is for the embedded server; OpenShift brings its own API. */
export { Route } from './route.ts'
