import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../parts/panel.tsx'
import { PageTitle } from '../parts/shell.tsx'
import { signIn } from '../server/session.ts'

/** Who are you? A link with a code answers that by itself; this is for everybody else. */
export function SignInPage({ problem }: { readonly problem: string | undefined }): JSX.Element {
  const [token, setToken] = useState('')
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (token.trim() === '') return field.current?.focus()
    setBusy(true)
    await signIn({ token: token.trim() })
    setBusy(false)
  }
  return (
    <div class="page sign-in">
      <PageTitle tab="Sign in">Sign in</PageTitle>
      {problem === undefined ? null : (
        <Notice tone="bad" isAlert>
          {problem}
        </Notice>
      )}
      <form class="panel" onSubmit={(event) => void submit(event)}>
        <label for="token">Bearer token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autocomplete="current-password"
          value={token}
          aria-describedby="token-help"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p id="token-help" class="dim">
          A token that the management cluster knows. What you may see and do is what it lets you.
        </p>
        <button type="submit" class="button primary" disabled={isBusy}>
          {isBusy ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
      <ul class="hints">
        <li>
          Started <code>windlass up</code> or <code>windlass dashboard</code> yourself? Open the link that it printed: it signs you in.
        </li>
        <li>
          On a cluster, make a token with <code>kubectl create token &lt;service account&gt;</code> or <code>oc whoami --show-token</code>.
        </li>
        <li>A browser that has a client certificate of the cluster is signed in by it, and never sees this page.</li>
      </ul>
    </div>
  )
}
