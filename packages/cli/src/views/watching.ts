import type { Context } from '../context.ts'
import { listenForStop } from '../stop-signals.ts'
import type { WatchFlags } from './options.ts'
import { scrollingScreen, terminalScreen } from './screen.ts'

export interface Watched<View> {
  /** Every how many milliseconds it is looked at anew. */
  readonly interval: number
  readonly read: () => Promise<View>
  readonly lines: (view: View) => readonly string[]
}

/** Draws what is there over and over, until Ctrl-C, and gives what was seen last. What cannot be read at first ends it; later on, a server may come back. */
export async function watch<View>({ output, clock, process }: Context, { interval, read, lines }: Watched<View>): Promise<View> {
  const { terminal } = output
  const write = (text: string): void => output.print(text)
  const screen = terminal === undefined ? scrollingScreen(write) : terminalScreen(write, () => output.terminal ?? terminal)
  const stop = listenForStop(process, clock)
  const stopping = new AbortController()
  void stop.received.then(() => stopping.abort())
  try {
    let last: { readonly view: View } | undefined
    for (;;) {
      try {
        const view = await read()
        last = { view }
        screen.draw(lines(view))
      } catch (error) {
        if (last === undefined) throw error
        screen.draw([`The cluster could not be read: ${error instanceof Error ? error.message : String(error)}`])
      }
      if (await isOver(clock.sleep(interval, stopping.signal))) return last.view
    }
  } finally {
    stop.ignore()
  }
}

/** A sleep that was cut short was the last. */
function isOver(sleep: Promise<void>): Promise<boolean> {
  return sleep.then(
    () => false,
    () => true,
  )
}

/** Shows something once or, if that is asked for, over and over. Gives what was seen last. */
export async function show<View>(
  context: Context,
  { watch: isWatched, interval }: WatchFlags,
  { read, text }: { readonly read: () => Promise<View>; readonly text: (view: View) => string },
): Promise<View> {
  if (isWatched === true) return watch(context, { interval, read, lines: (view) => text(view).split('\n') })
  const view = await read()
  context.output.print(text(view))
  return view
}
