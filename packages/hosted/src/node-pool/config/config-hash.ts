import { hash } from 'node:crypto'
import { hashOfText } from '../hash.ts'

/** Everything that nodes are made from. When it changes, they are made anew. */
export interface ConfigInputs {
  readonly raw: string
  /** The version of the release; its pullspec does not count, so that a mirror rolls nothing. */
  readonly version: string
  /** Names of objects; their contents do not count. */
  readonly pullSecretName: string
  readonly trustBundleName: string
  readonly globalConfig: string
  readonly osStream: string
}

export interface ConfigHashes {
  /** `H`: names Secrets, and tells that nodes are to be made anew. */
  readonly hash: string
  /** `H0`, without the version and without the configuration of the whole cluster: tells that it is for the sake of the pool's configuration. */
  readonly configHash: string
  /** Of the same inputs, and long enough to be sure: tells whether they are those that a pool was adopted with. */
  readonly digest: string
}

export function hashesOf({ raw, version, pullSecretName, trustBundleName, globalConfig, osStream }: ConfigInputs): ConfigHashes {
  return {
    hash: hashOfText(raw + version + pullSecretName + trustBundleName + globalConfig + osStream),
    configHash: hashOfText(raw + pullSecretName + trustBundleName + osStream),
    digest: hash('sha256', JSON.stringify([raw, version, pullSecretName, trustBundleName, globalConfig, osStream])),
  }
}
