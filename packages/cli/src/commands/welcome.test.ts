import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleFleet } from '../laptop/sample-fleet.ts'
import { version } from '../version.ts'
import { welcome } from './welcome.ts'

const ready = {
  url: 'https://127.0.0.1:6443',
  port: 6443,
  kubeconfig: '/my work/.windlass/data/kubeconfig',
  dataFolder: '/my work/.windlass/data',
}
const flags = { speed: 20, controllers: 'all', classic: false } as const
const commandsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => /^ {2}(kubectl|npx) /.test(line))
    .map((line) => line.trim())

describe('what windlass up says when it is ready', () => {
  it('where it is, where its files are, and lines to copy', () => {
    assert.equal(
      welcome(ready, flags, []),
      `Windlass ${version} is up at https://127.0.0.1:6443

  data        /my work/.windlass/data
  kubeconfig  /my work/.windlass/data/kubeconfig
  fleet       none; hosted clusters that you ask for are made

Next, in another terminal:
  export KUBECONFIG='/my work/.windlass/data/kubeconfig'
  kubectl get hostedclusters,nodepools -A

Ctrl-C ends it.`,
    )
  })

  it('where the web page is, that its link opens once, and that it may change things', () => {
    const page = { link: 'http://127.0.0.1:8080/#code=secret', port: 8080 }
    const text = welcome(ready, flags, [], page)
    assert.match(text, /\n {2}web page {4}http:\/\/127\.0\.0\.1:8080\/#code=secret\n {14}opens once, and may change what it shows/)
    assert.doesNotMatch(text, /in use/)
    const elsewhere = { link: 'http://127.0.0.1:40001/#code=secret', port: 40_001 }
    assert.match(welcome(ready, flags, [], elsewhere), /\n {14}\(port 8080 is in use, so it took a free one\)\n/)
    assert.doesNotMatch(welcome(ready, { ...flags, dashboardPort: 0 }, [], elsewhere), /in use/)
  })

  it('what there is to try with the fleet', () => {
    const commands = commandsIn(welcome(ready, flags, sampleFleet(8)))
    for (const wanted of [
      /-w$/,
      /^npx windlass fleet$/,
      /^npx windlass why prod-us-2$/,
      / patch hostedcluster prod-eu-1 /,
      / annotate namespace clusters-prod-us-2 /,
      / --kubeconfig prod-ap-1\.kubeconfig -n shop delete poddisruptionbudget checkout$/,
      /^npx windlass skew prod-us-1 --to 4\.21\.1$/,
      /--kubeconfig prod-eu-1\.kubeconfig/,
    ])
      assert.ok(
        commands.some((command) => wanted.test(command)),
        String(wanted),
      )
  })

  it('how to follow the upgrade of the classic cluster, where there is one and our controllers run', () => {
    const text = welcome(ready, { ...flags, classic: true }, sampleFleet(8))
    assert.match(text, /classic-eu-1 is a classic cluster\. Its managed upgrade begins 2 minutes after the first start/)
    assert.deepEqual(
      commandsIn(text).filter((command) => command.includes('classic-eu-1')),
      [
        "kubectl -n kube-system get secret classic-eu-1-kubeconfig -o 'go-template={{.data.kubeconfig|base64decode}}' > classic-eu-1.kubeconfig",
        'npx windlass upgrade show --kubeconfig classic-eu-1.kubeconfig',
        'npx windlass status --kubeconfig classic-eu-1.kubeconfig',
        'kubectl --kubeconfig classic-eu-1.kubeconfig get upgradeconfigs -A',
      ],
    )
    assert.match(welcome(ready, { ...flags, classic: true, speed: 100 }, []), /begins 24 seconds after/)
    assert.match(welcome(ready, { ...flags, classic: true, speed: 1 }, []), /begins 40 minutes after/)
    for (const without of [{ classic: false }, { classic: true, controllers: 'none' }] as const) {
      assert.doesNotMatch(welcome(ready, { ...flags, ...without }, sampleFleet(8)), /classic/)
    }
  })

  it('nothing about clusters that a smaller fleet does not have', () => {
    const text = welcome(ready, flags, sampleFleet(1))
    assert.match(text, /fleet {7}1 hosted cluster, simulated at 20 times/)
    assert.doesNotMatch(text, /prod-us-2/)
  })

  it('how to run the controllers, when it does not run them', () => {
    const text = welcome(ready, { ...flags, controllers: 'none' }, sampleFleet(8))
    assert.match(text, /8 hosted clusters to be made by controllers that do not run here/)
    assert.equal(commandsIn(text)[0], 'npx windlass operator --release-catalogue sample --ignition-port 22623')
    const elsewhere = { ...flags, controllers: 'none', ignitionAt: { host: '127.0.0.1', port: 8443 } } as const
    assert.match(welcome(ready, elsewhere, []), /--ignition-port 8443\n/)
  })

  it('that it took another port because the usual one is in use', () => {
    const elsewhere = { ...ready, url: 'https://127.0.0.1:40123', port: 40_123 }
    assert.match(welcome(elsewhere, flags, []), /40123\n\(port 6443 is in use, so it took a free one\)\n/)
    assert.doesNotMatch(welcome(elsewhere, { ...flags, port: 0 }, []), /in use/)
  })

  it('that nothing is kept when all is in memory', () => {
    const { dataFolder: _, ...inMemory } = ready
    assert.match(welcome(inMemory, flags, []), /data {8}in memory: gone when this ends\n/)
  })
})
