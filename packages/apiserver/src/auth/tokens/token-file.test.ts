import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTokenFile, TokenFileError } from './token-file.ts'

const read = (content: string): unknown[] =>
  parseTokenFile(content, 'users.csv').map(({ token, user }) => [token, user.name, user.uid, ...user.groups])

test('token, user, uid and quoted groups', () => {
  const content = 't1,admin,admin,system:masters\r\n\r\nt2,alice,alice-uid,"devs,ops"\n"t,3","o""neil",,"",ignored\n'
  assert.deepEqual(read(content), [
    ['t1', 'admin', 'admin', 'system:masters'],
    ['t2', 'alice', 'alice-uid', 'devs', 'ops'],
    ['t,3', 'o"neil', ''],
  ])
})

test('an empty file has no tokens; the last line needs no end', () => {
  assert.deepEqual(read(''), [])
  assert.deepEqual(read('\n\n'), [])
  assert.deepEqual(read('t,u,'), [['t', 'u', '']])
})

test('what is wrong is named with its line, without the token', () => {
  const problems: [string, string][] = [
    ['t1,a,b\nsecret,user\n', 'users.csv:2: has 2 of at least 3 columns: token,user,uid[,"group1,group2"]'],
    ['\n,user,uid', 'users.csv:2: the token in column 1 is empty'],
    ['secret,,uid', 'users.csv:1: the user in column 2 is empty'],
    ['secret,a,1\nother,"multi\nline",2\nsecret,b,3', 'users.csv:4: the token was already given in line 1'],
    ['t1,a,b\nsecret,"user,uid\n', 'users.csv:2: has a quote that does not open or close a column'],
  ]
  for (const [content, message] of problems) {
    assert.throws(
      () => read(content),
      (error) => error instanceof TokenFileError && error.message === message,
      message,
    )
  }
})
