/** Makes changing anything in it an error. Parts that are frozen are so all the way down, and not looked into again. */
export function deepFreeze<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
