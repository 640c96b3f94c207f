import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { readFixedVersions } from '../../src/exposure/index.ts'
import { choose, query } from './answer.ts'

/** Where fixed versions are entered. What is wrong with them is said before anybody asks the server. */
export function FixedVersionsForm(): JSX.Element {
  const asked = query.value.fixedIn.join(', ')
  const text = useSignal(asked)
  const problem = useSignal<string | undefined>(undefined)
  // The back button changes what is asked; before anything is painted, so that nobody sees the old one beside the new answer.
  useLayoutEffect(() => {
    text.value = asked
    problem.value = undefined
  }, [asked])
  const submit = (event: Event): void => {
    event.preventDefault()
    const read = readFixedVersions(text.value)
    if ('problem' in read) {
      problem.value = read.problem
      document.querySelector<HTMLInputElement>('#fixed-in')?.focus()
      return
    }
    problem.value = undefined
    choose({ fixedIn: read.versions, states: [] })
  }
  return (
    <form class="panel fixed-in" onSubmit={submit}>
      <label for="fixed-in">Fixed in</label>
      <input
        id="fixed-in"
        value={text.value}
        placeholder="4.20.3, 4.19.19"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem.value !== undefined}
        aria-describedby="fixed-in-problem"
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <button type="submit" class="button primary">
        Who is exposed?
      </button>
      <p id="fixed-in-problem" class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  )
}
