import type { Clock, Random } from '@windlass/core'
import type { ClusterId, ClusterRow, SessionView, WhyView } from '../contract/index.ts'
import type { Fleet } from '../model/fleet.ts'
import { act, parseAction } from './actions.ts'
import { acceptedEncoding, type Answer, compressed, json, nothing, type StreamAnswer } from './answer.ts'
import type { Asked } from './asked.ts'
import { fleetText } from './fleet-text.ts'
import { securityHeaders } from './guards.ts'
import { Problem } from './problem.ts'
import { seenExposure, seenFleet } from './seen.ts'
import type { Door, Session } from './sign-in/index.ts'
import { EventStream, type FleetFeed, numberFor, type OpenStreams, sendCluster, sendFleet } from './streams/index.ts'
import { isThisMachine } from './this-machine.ts'
import type { Visitor, Visitors } from './visitors.ts'

export interface ApiParts {
  readonly fleet: Fleet
  /** Why a cluster waits; undefined when there is no such cluster. */
  readonly explain: (id: ClusterId) => Promise<WhyView | undefined>
  readonly doors: readonly Door[]
  readonly allowsActions: boolean
  /** Of Windlass. */
  readonly version: string
  readonly visitors: Visitors
  readonly feed: FleetFeed
  readonly streams: OpenStreams
  readonly clock: Clock
  readonly random: Random
}

/** Where the number of the last change is that an answer knows of: `stream?since=` goes on from there. */
const changeHeader = 'x-windlass-change'

/** What is below `/api/v1/`; `rest` is the path from there. */
export async function answerApi(asked: Asked, rest: readonly string[], parts: ApiParts): Promise<Answer> {
  const [what, ...more] = rest
  if (what === 'session' && more.length === 0) return answerSession(asked, parts)
  const visitor = await parts.visitors.visitor(asked)
  const answer = await answerVisitor(asked, what, more, visitor, parts)
  return 'open' in answer ? answer : compressed(answer, acceptedEncoding(asked.headers['accept-encoding']))
}

async function answerSession(asked: Asked, { visitors, allowsActions, version }: ApiParts): Promise<Answer> {
  const view = ({ person: { user } }: Session): SessionView => ({ user, mayAct: allowsActions, version })
  switch (asked.method) {
    case 'GET':
      return json(200, view((await visitors.visitor(asked)).session))
    case 'POST': {
      const { session, cookie } = await visitors.signIn(asked)
      return json(200, view(session), { 'set-cookie': cookie })
    }
    case 'DELETE':
      return nothing({ 'set-cookie': visitors.signOut(asked) })
    default:
      throw wrongMethod(asked, 'GET, POST, DELETE')
  }
}

async function answerVisitor(
  asked: Asked,
  what: string | undefined,
  more: readonly string[],
  visitor: Visitor,
  parts: ApiParts,
): Promise<Answer> {
  const { fleet, feed } = parts
  const { sight } = visitor.session.person
  if (what === 'clusters') return answerCluster(asked, more, visitor, parts)
  if (more.length === 0 && (what === 'fleet' || what === 'stream' || what === 'exposure')) {
    if (asked.method !== 'GET') throw wrongMethod(asked, 'GET')
    if (what === 'fleet') return json(200, fleetText(seenFleet(fleet.view(), sight)), { [changeHeader]: numberFor(feed.id, sight) })
    if (what === 'exposure') return json(200, seenExposure(fleet.exposure(fixesIn(asked)), sight))
    const since = asked.headers['last-event-id'] ?? asked.query.get('since') ?? undefined
    return streamed(asked, visitor, parts, (stream) => sendFleet(stream, { view: () => fleet.view(), feed, sight, since }))
  }
  throw new Problem(404, `There is nothing at ${asked.path}: below /api/v1 there are session, fleet, stream, clusters and exposure.`)
}

async function answerCluster(asked: Asked, path: readonly string[], visitor: Visitor, parts: ApiParts): Promise<Answer> {
  const { id, verb } = clusterPath(path)
  const { fleet, explain, clock } = parts
  const row = fleet.row(id)
  if (row === undefined || !visitor.session.person.sight.seesRow(row))
    throw new Problem(404, `There is no cluster ${id}, or you may not see it.`)
  if (verb === 'actions') return answerAction(asked, row, visitor.session, parts)
  if (asked.method !== 'GET') throw wrongMethod(asked, 'GET')
  if (verb === 'stream') return streamed(asked, visitor, parts, (stream) => sendCluster(stream, fleet, id, clock))
  const view = verb === 'why' ? await explain(id) : await fleet.cluster(id)
  if (view === undefined) throw new Problem(404, `There is no cluster ${id} any more.`)
  return json(200, view)
}

/** `<member>` is a classic cluster, `<member>/<namespace>/<name>` a hosted one; a word more says what is asked of it. */
export function clusterPath(path: readonly string[]): { readonly id: ClusterId; readonly verb?: string } {
  const length = path.length >= 3 ? 3 : 1
  const [verb, ...more] = path.slice(length)
  const isKnown = verb === undefined || verb === 'stream' || verb === 'why' || verb === 'actions'
  if (path.length === 0 || more.length > 0 || !isKnown) {
    throw new Problem(
      404,
      'A cluster is at clusters/<member>/<namespace>/<name> or clusters/<member>, with /stream, /why or /actions below it.',
    )
  }
  return { id: path.slice(0, length).join('/'), ...(verb === undefined ? {} : { verb }) }
}

async function answerAction(asked: Asked, row: ClusterRow, session: Session, parts: ApiParts): Promise<Answer> {
  if (asked.method !== 'POST') throw wrongMethod(asked, 'POST')
  if (!parts.allowsActions) throw new Problem(403, 'This page only shows: start the server with --allow-actions to change something by it.')
  const action = parseAction(await asked.json(), parts.clock.now())
  const door = parts.doors.find(({ name }) => name === row.member)
  if (door === undefined) throw new Problem(404, `There is no way into ${row.member}.`)
  const client = await door.open(session.credential)
  try {
    return json(200, await act(client, row, action))
  } finally {
    await client.close()
  }
}

function fixesIn({ query }: Asked): readonly string[] {
  const fixes = query
    .getAll('fixed-in')
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
  if (fixes.length > 0) return fixes
  throw new Problem(400, 'Say which versions fix it: exposure?fixed-in=4.20.3,4.19.19.')
}

function streamed(asked: Asked, visitor: Visitor, { streams, random }: ApiParts, begin: (stream: EventStream) => void): StreamAnswer {
  // On this machine the network is memory, and bytes cost less than saving them.
  const isZipped = !isThisMachine(asked.address) && /\bgzip\b/.test(asked.headers['accept-encoding'] ?? '')
  return {
    open: (outgoing) => {
      // Not all at once, when a server that many look at is started again.
      const stream = new EventStream(outgoing, securityHeaders, { isZipped, retry: 1000 + random.below(1000) })
      streams.add(stream, () => visitor.isWelcome())
      begin(stream)
    },
  }
}

function wrongMethod({ method, path }: Asked, allow: string): Problem {
  return new Problem(405, `${method} is not possible at ${path}.`, { allow })
}
