import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Shown {
  readonly text: readonly string[]
  readonly at: DOMRect
}

const shown = signal<Shown | undefined>(undefined)

/**
 * What gives an element a tip: shown when it is pointed at and when it has the focus, gone with Escape. What it says must also be in the element's label: a tip is
 * drawn elsewhere and read by nobody.
 */
export function tipped(...text: readonly string[]): {
  onPointerEnter: (event: { readonly currentTarget: Element }) => void
  onPointerLeave: () => void
  onFocus: (event: { readonly currentTarget: Element }) => void
  onBlur: () => void
} {
  const show = (event: { readonly currentTarget: Element }): void => {
    shown.value = { text, at: event.currentTarget.getBoundingClientRect() }
  }
  return { onPointerEnter: show, onPointerLeave: hideTip, onFocus: show, onBlur: hideTip }
}

export function hideTip(): void {
  shown.value = undefined
}

/** The one place where tips are drawn. */
export function Tips(): JSX.Element | null {
  const element = useRef<HTMLDivElement>(null)
  const tip = shown.value
  useLayoutEffect(() => {
    const { current } = element
    if (current === null || tip === undefined) return
    const { width, height } = current.getBoundingClientRect()
    const room = 8
    const left = tip.at.left + tip.at.width / 2 - width / 2
    const above = tip.at.top - height - room
    current.style.left = `${Math.max(room, Math.min(left, innerWidth - width - room))}px`
    current.style.top = `${above < room ? tip.at.bottom + room : above}px`
  }, [tip])
  if (tip === undefined) return null
  return (
    <div class="tip" ref={element} aria-hidden="true">
      {tip.text.map((line, index) => (
        <div key={line} class={index === 0 ? 'tip-title' : undefined}>
          {line}
        </div>
      ))}
    </div>
  )
}
