/** What a release image is, as far as the simulator needs to know. */
export interface KnownRelease {
  readonly version: string
  /** What to record: the pullspec by digest, where there is one. */
  readonly image: string
  /** Images of its components by the name that manifests call them by: `ovn-kubernetes`. */
  readonly images: ReadonlyMap<string, string>
}

/** From a pullspec to a release. It throws for one that it does not know. */
export interface ReleaseLookup {
  resolve(pullspec: string, options?: { readonly signal?: AbortSignal }): Promise<KnownRelease>
}
