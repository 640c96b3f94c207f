import type { JSX } from 'preact'
import { theme, themes } from './preferences.ts'

const names = { system: 'System', light: 'Light', dark: 'Dark' } as const

/** Dark, light, or as the system has it. */
export function ThemeSwitch(): JSX.Element {
  return (
    <label class="theme-switch">
      <span class="unseen">Colours</span>
      <select
        value={theme.value}
        onChange={(event) => {
          theme.value = themes.find((each) => each === event.currentTarget.value) ?? 'system'
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </label>
  )
}
