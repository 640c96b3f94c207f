import { computed, signal } from '@preact/signals'
import { routeOf } from '../src/address/index.ts'

/** Where the page is. Everything it shows follows from here. */
export const path = signal(location.pathname)
export const search = signal(location.search)
export const route = computed(() => routeOf(path.value))

/** Counts moves from page to page, not changes of a filter: whoever shows a page takes the focus when it goes up. */
export const visits = signal(0)

/** Goes to another page, as a link does. */
export function navigate(to: string): void {
  const target = new URL(to, location.origin)
  history.pushState(undefined, '', target.pathname + target.search)
  arrive()
  scrollTo(0, 0)
}

/**
 * Writes what the page shows now into the address.
 *
 * A choice (a filter, an order) is a step that the back button undoes. What is typed letter by letter is one step for the whole of it.
 */
export function rewriteSearch(to: string, { isStep }: { readonly isStep: boolean }): void {
  if (to === search.value) return
  const target = location.pathname + to
  if (isStep) history.pushState(undefined, '', target)
  else history.replaceState(undefined, '', target)
  search.value = to
}

function arrive(): void {
  const isOtherPage = path.value !== location.pathname
  path.value = location.pathname
  search.value = location.search
  if (isOtherPage) visits.value++
}

addEventListener('popstate', arrive)

/** Links within the page are followed without loading it again, unless somebody asks for another tab. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.origin !== location.origin || link.hasAttribute('download') || link.target !== '') return
  if (link.hash !== '' && link.pathname === location.pathname) return
  event.preventDefault()
  navigate(link.pathname + link.search)
}
