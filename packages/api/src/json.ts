/** Anything that JSON can say, immutable. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * A type in which nothing can be assigned to, all the way down. Objects from the API are shared between controllers; changing
 * one in place would change it for all of them.
 */
export type Immutable<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : IsAnyJson<T> extends true
      ? T
      : { readonly [K in keyof T]: Immutable<T[K]> }

/** True for JsonObject itself, which is immutable already and would only become unreadable in error messages. */
type IsAnyJson<T> = string extends keyof T ? (Json extends T[keyof T] ? true : false) : false
