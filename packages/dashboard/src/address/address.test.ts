import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { attentions, exposureStates, skewVerdicts } from '../words/index.ts'
import {
  clusterApiPath,
  clusterPath,
  columns,
  type FleetQuery,
  idOf,
  isFiltered,
  partsOfId,
  readExposureQuery,
  readFleetQuery,
  routeOf,
  sides,
  wholeFleet,
  writeExposureQuery,
  writeFleetQuery,
} from './index.ts'

describe('paths', () => {
  it('name the pages', () => {
    assert.deepEqual(routeOf('/'), { page: 'fleet' })
    assert.deepEqual(routeOf('/exposure'), { page: 'exposure' })
    assert.deepEqual(routeOf('/sign-in'), { page: 'sign-in' })
    assert.deepEqual(routeOf('/clusters/classic-eu-1'), { page: 'cluster', cluster: ['classic-eu-1'] })
    assert.deepEqual(routeOf('/clusters/east/clusters/prod'), { page: 'cluster', cluster: ['east', 'clusters', 'prod'] })
    assert.deepEqual(routeOf('/clusters/classic-eu-1/upgrade'), { page: 'upgrade', cluster: ['classic-eu-1'] })
    assert.deepEqual(routeOf('/clusters/east/clusters/prod/upgrade'), { page: 'upgrade', cluster: ['east', 'clusters', 'prod'] })
  })

  for (const path of ['/nowhere', '/clusters', '/clusters/a/b', '/clusters/a/b/c/d', '/exposure/more', '/clusters/a/b/c/upgrade/more']) {
    it(`lead nowhere when they are ${path}`, () => assert.deepEqual(routeOf(path), { page: 'missing', path }))
  }

  it('of any cluster lead back to it, whatever its member is called', () => {
    const part = fc.string({ minLength: 1 }).filter((text) => text.isWellFormed() && text !== '.' && text !== '..')
    fc.assert(
      fc.property(fc.oneof(fc.tuple(part), fc.tuple(part, part, part)), (cluster) => {
        assert.deepEqual(routeOf(clusterPath(cluster)), { page: 'cluster', cluster })
        assert.deepEqual(routeOf(clusterPath(cluster, 'upgrade')), { page: 'upgrade', cluster })
      }),
    )
  })

  it('with a broken escape are taken as they are', () => {
    assert.deepEqual(routeOf('/clusters/%E0%A4%A'), { page: 'cluster', cluster: ['%E0%A4%A'] })
  })

  it('of the API keep the parts of an id apart', () => {
    assert.equal(
      clusterApiPath(['default/api:6443/admin', 'clusters', 'prod'], 'why'),
      '/api/v1/clusters/default%2Fapi%3A6443%2Fadmin/clusters/prod/why',
    )
    assert.deepEqual(partsOfId('default/api:6443/admin/clusters/prod'), ['default/api:6443/admin', 'clusters', 'prod'])
    assert.deepEqual(partsOfId('classic'), ['classic'])
    assert.equal(idOf(['east', 'clusters', 'prod']), 'east/clusters/prod')
  })
})

const query: fc.Arbitrary<FleetQuery> = fc.record<FleetQuery>(
  {
    search: fc.string().filter((text) => text.isWellFormed()),
    attention: fc.subarray([...attentions]),
    members: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
    skew: fc.subarray([...skewVerdicts]),
    version: fc.option(
      fc.record({ side: fc.constantFrom(...sides), version: fc.constantFrom('', '4.20', '4.20.3') }, { noNullPrototype: true }),
      { nil: undefined },
    ),
    lastKnownOnly: fc.boolean(),
    sort: fc.constantFrom(...columns),
    isDescending: fc.boolean(),
  },
  { noNullPrototype: true },
)

describe('what the table of the fleet shows', () => {
  it('survives the address', () => {
    fc.assert(
      fc.property(query, (asked) => {
        assert.deepEqual(readFleetQuery(writeFleetQuery(asked)), asked)
      }),
    )
  })

  it('is everything, worst first, where the address says nothing', () => {
    assert.equal(writeFleetQuery(wholeFleet), '')
    assert.deepEqual(readFleetQuery(''), wholeFleet)
  })

  it('does not follow what nobody could have meant', () => {
    assert.deepEqual(readFleetQuery('?sort=colour&state=Happy&version=roof:4.20&skew=&current=maybe'), wholeFleet)
  })

  it('is filtered by anything but its order', () => {
    assert.equal(isFiltered({ ...wholeFleet, sort: 'name', isDescending: true }), false)
    assert.equal(isFiltered({ ...wholeFleet, search: 'prod' }), true)
    assert.equal(isFiltered({ ...wholeFleet, version: { side: 'nodes', version: '' } }), true)
  })
})

describe('what the page of exposure asks', () => {
  it('survives the address', () => {
    const asked = fc.record(
      {
        fixedIn: fc.array(fc.constantFrom('4.20.3', '4.19.19', '4.21.0-rc.1'), { maxLength: 3 }),
        states: fc.subarray([...exposureStates]),
        search: fc.string().filter((text) => text.isWellFormed()),
      },
      { noNullPrototype: true },
    )
    fc.assert(fc.property(asked, (each) => assert.deepEqual(readExposureQuery(writeExposureQuery(each)), each)))
  })

  it('has versions that can be read in it', () => {
    assert.equal(
      writeExposureQuery({ fixedIn: ['4.20.3', '4.19.19'], states: ['Vulnerable'], search: '' }),
      '?fixed-in=4.20.3,4.19.19&state=Vulnerable',
    )
  })
})
