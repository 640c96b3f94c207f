import { signal } from '@preact/signals'
import type { SessionView } from '@windlass/fleet/contract'
import { ask, Problem, send, whenSignedOut } from './request.ts'

/** Who looks at the page, as far as it is known. */
export type Session =
  | { readonly state: 'asking' }
  | { readonly state: 'signed-in'; readonly view: SessionView }
  /** `problem`: why the last attempt failed. */
  | { readonly state: 'signed-out'; readonly problem?: string }
  | { readonly state: 'unavailable'; readonly problem: string }

export const session = signal<Session>({ state: 'asking' })

whenSignedOut(() => {
  if (session.value.state === 'signed-in') session.value = { state: 'signed-out', problem: 'The session has ended.' }
})

/** A link that somebody was given has a code behind its `#`. It is used once, and is gone from the address before anything else happens. */
export async function begin(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return look()
  history.replaceState(undefined, '', location.pathname + location.search)
  await signIn({ code })
}

/** Finds out who is signed in. */
export async function look(): Promise<void> {
  try {
    session.value = { state: 'signed-in', view: await ask<SessionView>('/api/v1/session') }
  } catch (error) {
    const code = error instanceof Problem ? error.code : 0
    session.value =
      code === 401 || code === 403
        ? { state: 'signed-out' }
        : { state: 'unavailable', problem: error instanceof Error ? error.message : String(error) }
  }
}

/** By the code of a link, or by a token that the cluster knows. */
export async function signIn(proof: { readonly code: string } | { readonly token: string }): Promise<void> {
  try {
    const view = await send<SessionView | undefined>('/api/v1/session', proof)
    if (view === undefined) await look()
    else session.value = { state: 'signed-in', view }
  } catch (error) {
    session.value = { state: 'signed-out', problem: error instanceof Error ? error.message : String(error) }
  }
}

export async function signOut(): Promise<void> {
  await ask('/api/v1/session', { method: 'DELETE' }).catch(() => undefined)
  session.value = { state: 'signed-out' }
}

/** Whether somebody is signed in who may change things. */
export function mayAct(): boolean {
  return session.value.state === 'signed-in' && session.value.view.mayAct
}
