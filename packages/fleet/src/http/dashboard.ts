import type { Log } from '@windlass/kube'
import type { ClusterId } from '../contract/index.ts'
import { type Answer, json, problemAnswer, type WholeAnswer } from './answer.ts'
import { answerApi, type ApiParts } from './api.ts'
import { type Asked, type Incoming, type Outgoing, readAsked, writeHead } from './asked.ts'
import { PageFiles } from './files/page-files.ts'
import { checkHost, checkOrigin, securityHeaders } from './guards.ts'
import { type Listening, listen, type ListenOptions, type Tls } from './listen.ts'
import { Problem } from './problem.ts'
import { SharedAnswers } from './shared-answers.ts'
import { FleetFeed, OpenStreams } from './streams/index.ts'
import { Visitors } from './visitors.ts'

export interface DashboardOptions extends Pick<ApiParts, 'fleet' | 'explain' | 'doors' | 'allowsActions' | 'version' | 'clock' | 'random'> {
  /** The folder of the built page; undefined where it was not built. */
  readonly page: string | undefined
  /** Plain HTTP without it. */
  readonly tls?: Tls
  readonly log: Log
  /** The link was used; the next one is another. */
  readonly onLinkUsed?: () => void
}

export interface DashboardServer {
  /** `http://127.0.0.1:8080` */
  readonly url: string
  readonly port: number
  /** Lets whoever has it in, once, with the rights of this process. */
  readonly link: string
  /** Ends streams, lets answers that are under way finish, closes the port. */
  close(): Promise<void>
}

export interface Dashboard {
  /**
   * Opens a port.
   *
   * # Errors
   *
   * Node's own (`EADDRINUSE`, `EACCES`), when none of the ports can be opened.
   */
  listen(options: Omit<ListenOptions, 'clock' | 'tls'>): Promise<DashboardServer>
}

/** The web page and what it asks, for one fleet. The fleet runs by itself. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const { fleet, clock, random, doors, log, tls } = options
  const files = new PageFiles(options.page)
  return {
    async listen(at) {
      const feed = new FleetFeed(fleet, random)
      const streams = new OpenStreams(clock)
      const visitors = new Visitors({ doors, clock, random }, () => options.onLinkUsed?.())
      const reasons = new SharedAnswers(options.explain, clock)
      const parts = { ...options, explain: (id: ClusterId) => reasons.get(id), feed, streams, visitors }
      const respond = (incoming: Incoming, outgoing: Outgoing): Promise<void> =>
        exchange(incoming, outgoing, { log, isSecure: tls !== undefined, answer: (asked) => answerTo(asked, at.host, files, parts) })
      let listening: Listening
      try {
        listening = await listen(respond, { ...at, clock, ...(tls === undefined ? {} : { tls }) })
      } catch (error) {
        feed.close()
        throw error
      }
      visitors.port = listening.port
      const { url, port } = listening
      return {
        url,
        port,
        get link() {
          return `${url}/#code=${visitors.code.value}`
        },
        async close() {
          feed.close()
          streams.closeAll()
          await listening.close()
        },
      }
    },
  }
}

async function answerTo(asked: Asked, boundTo: string, files: PageFiles, parts: ApiParts): Promise<Answer> {
  if (asked.path === '/healthz') return text(200, 'ok\n')
  if (asked.path === '/readyz') return readiness(parts)
  checkHost(asked, boundTo)
  checkOrigin(asked)
  const [api, version, ...rest] = asked.segments
  if (api === 'api' && version === 'v1') return answerApi(asked, rest, parts)
  if (api === 'api') throw new Problem(404, `There is nothing at ${asked.path}: the API is below /api/v1.`)
  return files.answer(asked)
}

/** Ready when there is something to say of every member, be it that it cannot be reached. */
function readiness({ fleet }: ApiParts): WholeAnswer {
  const waiting = fleet.members().filter(({ state }) => state === 'Connecting')
  if (waiting.length === 0) return text(200, 'ok\n')
  return text(503, `not ready: nothing is known yet of ${waiting.map(({ name }) => name).join(', ')}\n`)
}

function text(status: number, body: string): WholeAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }, body }
}

interface ExchangeParts {
  readonly log: Log
  readonly isSecure: boolean
  readonly answer: (asked: Asked) => Promise<Answer>
}

/** One request and its answer, from and to a socket. */
async function exchange(incoming: Incoming, outgoing: Outgoing, { log, isSecure, answer }: ExchangeParts): Promise<void> {
  let given: Answer
  try {
    given = await answer(readAsked(incoming, isSecure))
  } catch (error) {
    given = refusal(error, incoming, log)
  }
  if (outgoing.destroyed || outgoing.headersSent) return
  if ('open' in given) return given.open(outgoing)
  const { status, headers, body } = given
  const hasBody = incoming.method !== 'HEAD' && status !== 204 && status !== 304
  writeHead(outgoing, status, {
    ...securityHeaders,
    ...headers,
    ...(status === 204 || status === 304 ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  })
  if (hasBody) outgoing.end(body)
  else outgoing.end()
  // What was sent and not read would be taken for the next request.
  incoming.resume()
}

/** What people are told of what nobody has thought of; the rest is in the log. */
function refusal(error: unknown, { method, url }: Incoming, log: Log): WholeAnswer {
  if (error instanceof Problem) return problemAnswer(error)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Error && error.name === 'InvalidFixError') return json(400, { code: 400, message })
  log.error({ err: error, method, url }, 'a request of the page failed')
  return json(500, { code: 500, message: `Something went wrong in the server, which has it in its log: ${message}` })
}
