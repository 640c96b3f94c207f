import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

/** A part of a page, with a heading that a screen reader can jump to. */
export function Panel(props: {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}): JSX.Element {
  const id = useId()
  return (
    <section class={`panel ${props.class ?? ''}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{props.title}</h2>
        {props.aside === undefined ? null : <div class="panel-aside">{props.aside}</div>}
      </header>
      {props.children}
    </section>
  )
}

/** Where there is nothing to show, and why. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children === undefined ? null : <div class="empty-text">{children}</div>}
    </div>
  )
}

/** While the first answer is on its way. */
export function Loading({ what }: { readonly what: string }): JSX.Element {
  return (
    <div class="loading" role="status">
      <span class="loading-bar" aria-hidden="true" />
      Loading {what} …
    </div>
  )
}

/** Something that needs to be seen before all else. */
export function Notice(props: {
  readonly tone: 'bad' | 'warn' | 'odd'
  readonly isAlert?: boolean
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <div class={`notice notice-${props.tone}`} role={props.isAlert === true ? 'alert' : undefined}>
      {props.children}
    </div>
  )
}
