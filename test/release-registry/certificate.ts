import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificate {
  readonly certificateFile: string
  readonly keyFile: string
  /** PEM */
  readonly certificate: string
  /** PEM */
  readonly key: string
}

/** A certificate for 127.0.0.1 that vouches for itself. */
export function makeCertificate(folder: string): Certificate {
  const certificateFile = join(folder, 'server.crt')
  const keyFile = join(folder, 'server.key')
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-subj', '/CN=windlass test', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', keyFile, '-out', certificateFile, '-days', '2', ...names], {
    stdio: 'pipe',
  })
  return { certificateFile, keyFile, certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
}
