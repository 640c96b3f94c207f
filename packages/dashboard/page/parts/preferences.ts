import { effect, signal } from '@preact/signals'

/** What somebody chose for this browser. Where nothing can be kept, it lasts as long as the page. */
function kept<T extends string>(key: string, values: readonly [T, ...T[]]) {
  const value = signal<T>(values.find((each) => each === read(key)) ?? values[0])
  effect(() => {
    try {
      if (value.value === values[0]) localStorage.removeItem(key)
      else localStorage.setItem(key, value.value)
    } catch {
      // Not kept.
    }
  })
  return value
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export const themes = ['system', 'light', 'dark'] as const
export const theme = kept('windlass.theme', themes)
/** Keys of one letter get in the way of people who speak to their computer: they can be turned off. */
export const shortcuts = kept('windlass.shortcuts', ['on', 'off'])

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
})
