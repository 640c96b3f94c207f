import { readWhole, type RegistryAnswer } from './transport.ts'
import { parseRetryAfter } from './retry.ts'

const largestBody = 16 * 1024
const longestDetail = 200

/** Statuses that may be different next time. */
export function isBusy(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

export function retryAfterOf(answer: RegistryAnswer, now: number): number | undefined {
  return parseRetryAfter(answer.headers['retry-after'], now)
}

/**
 * What a registry says about a refusal: the status, and the first of its errors if it names any. It ends up in front of people, so it
 * is kept short and on one line.
 */
export async function refusalDetail(answer: RegistryAnswer): Promise<string> {
  const said = await firstError(answer)
  return said === '' ? `status ${answer.status}` : `status ${answer.status}, ${said}`
}

async function firstError(answer: RegistryAnswer): Promise<string> {
  let body: Buffer | undefined
  try {
    body = await readWhole(answer.body, largestBody)
  } catch {
    return '' // the status alone is an answer
  }
  try {
    const { errors } = JSON.parse(body?.toString() ?? '') as { errors?: readonly { code?: unknown; message?: unknown }[] }
    const { code, message } = errors?.[0] ?? {}
    return [code, message]
      .filter((part) => typeof part === 'string' && part !== '')
      .map(oneLine)
      .join(': ')
  } catch {
    return ''
  }
}

function oneLine(text: unknown): string {
  return String(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longestDetail)
}
