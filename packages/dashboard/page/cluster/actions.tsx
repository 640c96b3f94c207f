import type { ActionRequest, ActionResult, ClusterView } from '@windlass/fleet/contract'
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { clusterApiPath, type ClusterParts } from '../../src/address/index.ts'
import { announce } from '../parts/announcer.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Notice } from '../parts/panel.tsx'
import { Problem, send } from '../server/request.ts'
import { mayAct } from '../server/session.ts'

type Kind = ActionRequest['do']

const titles: Readonly<Record<Kind, string>> = { upgrade: 'Upgrade', pause: 'Pause', resume: 'Resume' }

/** What can be done to the cluster, for those who may. Nothing is done without a second question. */
export function Actions({ view, parts }: { readonly view: ClusterView; readonly parts: ClusterParts }): JSX.Element | null {
  const open = useSignal<Kind | undefined>(undefined)
  const done = useSignal<string | undefined>(undefined)
  if (!mayAct() || view.row.kind === 'Classic' || view.row.attention === 'Deleting') return null
  const kinds: readonly Kind[] = view.row.attention === 'Paused' ? ['upgrade', 'resume'] : ['upgrade', 'pause']
  return (
    <>
      {done.value === undefined ? null : (
        <span class="done" role="status">
          {done.value}
        </span>
      )}
      {kinds.map((kind) => (
        <button key={kind} type="button" class="button" onClick={() => (open.value = kind)}>
          {titles[kind]}
        </button>
      ))}
      {open.value === undefined ? null : (
        <Confirm
          kind={open.value}
          view={view}
          parts={parts}
          close={() => (open.value = undefined)}
          finish={(message) => {
            done.value = message
            open.value = undefined
            announce(message)
          }}
        />
      )}
    </>
  )
}

interface ConfirmProps {
  readonly kind: Kind
  readonly view: ClusterView
  readonly parts: ClusterParts
  readonly close: () => void
  readonly finish: (message: string) => void
}

function Confirm({ kind, view, parts, close, finish }: ConfirmProps): JSX.Element {
  const image = useSignal('')
  const side = useSignal<'Both' | 'ControlPlane'>('Both')
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    try {
      const request: ActionRequest = kind === 'upgrade' ? { do: 'upgrade', image: image.value.trim(), side: side.value } : { do: kind }
      finish((await send<ActionResult>(clusterApiPath(parts, 'actions'), request)).message)
    } catch (error) {
      problem.value = error instanceof Problem ? error.message : String(error)
    }
    isBusy.value = false
  }
  return (
    <Dialog title={`${titles[kind]} ${view.row.name}`} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        {problem.value === undefined ? null : (
          <Notice tone="bad" isAlert>
            {problem.value}
          </Notice>
        )}
        <Question kind={kind} view={view}>
          {kind === 'upgrade' ? (
            <>
              <div class="field">
                <label for="image">Release image</label>
                <input
                  id="image"
                  required
                  autocomplete="off"
                  spellcheck={false}
                  placeholder="quay.example/ocp/release:4.20.8-x86_64"
                  value={image.value}
                  onInput={(event) => (image.value = event.currentTarget.value)}
                />
              </div>
              <div class="field">
                <label for="side">What is upgraded</label>
                <select
                  id="side"
                  value={side.value}
                  onChange={(event) => (side.value = event.currentTarget.value === 'ControlPlane' ? 'ControlPlane' : 'Both')}
                >
                  <option value="Both">Control plane and data plane</option>
                  <option value="ControlPlane">Control plane only</option>
                </select>
              </div>
            </>
          ) : null}
        </Question>
        <div class="dialog-end">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={isBusy.value}>
            {titles[kind]} {view.row.name}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Question({
  kind,
  view,
  children,
}: {
  readonly kind: Kind
  readonly view: ClusterView
  readonly children: ComponentChildren
}): JSX.Element {
  const { row } = view
  const sentence =
    kind === 'upgrade'
      ? `Its control plane runs ${row.controlPlane.version ?? 'an unknown version'}. The upgrade begins at once.`
      : kind === 'pause'
        ? 'Nothing is reconciled until it is resumed: no upgrade goes on, and nothing is repaired.'
        : 'Reconciliation goes on where it stopped.'
  return (
    <>
      <p class="question">{sentence}</p>
      {children}
    </>
  )
}
