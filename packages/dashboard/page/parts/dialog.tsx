import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** A question in front of everything else. The browser keeps the focus in it, and gives it back afterwards. */
export function Dialog(props: { readonly title: string; readonly close: () => void; readonly children: ComponentChildren }): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={props.close}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  )
}
