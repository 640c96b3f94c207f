import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPage } from '@windlass/dashboard/build'
import { ScriptedServer, type ScriptedServerOptions } from '@windlass/dashboard/testing'
import type { Browser } from 'playwright-core'
import { startBrowser, visit, type Visit, type VisitOptions } from '../support/browser.ts'

/** The page as it is now, a browser, and scripted servers for it. */
export class Stage {
  readonly #folder: string
  readonly browser: Browser
  readonly #open: { close(): Promise<void> }[] = []

  private constructor(folder: string, browser: Browser) {
    this.#folder = folder
    this.browser = browser
  }

  static async build(): Promise<Stage> {
    const folder = join(mkdtempSync(join(tmpdir(), 'windlass-page-')), 'dist')
    const [browser] = await Promise.all([startBrowser(), buildPage(folder)])
    return new Stage(folder, browser)
  }

  async serve(options: Omit<ScriptedServerOptions, 'folder'>): Promise<{ readonly server: ScriptedServer; readonly url: string }> {
    const server = new ScriptedServer({ ...options, folder: this.#folder })
    const url = await server.start()
    this.#open.push({ close: () => server.stop() })
    return { server, url }
  }

  async visit(url: string, options?: VisitOptions): Promise<Visit> {
    const opened = await visit(this.browser, url, options)
    this.#open.push(opened)
    return opened
  }

  /** Ends what a test has opened. */
  async clear(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((each) => each.close()))
  }

  async close(): Promise<void> {
    await this.clear()
    await this.browser.close()
    rmSync(join(this.#folder, '..'), { recursive: true, force: true })
  }
}
