/** Builds the web page. Optional where tools for development may have been left out: everything but the page works without it. */
export async function runBuild({ isOptional }: { readonly isOptional: boolean }): Promise<void> {
  if (isOptional && !isInstalled('vite')) {
    process.stderr.write('The web page is not built: Vite is not installed. To have it, run npm ci without --omit=dev.\n')
    return
  }
  const { buildPage } = await import('@windlass/dashboard/build')
  await buildPage()
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
