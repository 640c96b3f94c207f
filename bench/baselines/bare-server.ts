/**
 * What HTTPS costs in Node with nothing behind it: a server that answers with bytes it was given. Arguments: certificate, key, and files
 * with bodies for `/0`, `/1`, …; `/watch` stays open, and a PATCH of anything sends the first body to all who wait there.
 */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const [certificate = '', key = '', ...files] = process.argv.slice(2)
const bodies = files.map((file) => readFileSync(file))
const event = Buffer.concat([bodies[0] ?? Buffer.alloc(0), Buffer.from('\n')])
const watching = new Set<ServerResponse>()

const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url?.includes('watch=true') === true) {
    watching.add(response)
    response.once('close', () => watching.delete(response))
    response.flushHeaders()
    return
  }
  if (request.method === 'PATCH') for (const watcher of watching) watcher.write(event)
  request.resume()
  const body = bodies[Number(request.url?.slice(1))] ?? event
  response.setHeader('content-length', body.length)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
