import { expect, it } from 'vitest';
import type { ClusterFault, FeedState } from '../../clusters/cluster-event.ts';
import { blindOf, faultText, reasonOf } from './feed-text.ts';

it.each([
  ['connect ECONNREFUSED 127.0.0.1:46813', 'the connection is refused'],
  ['read ECONNRESET', 'the connection was cut'],
  ['The session has been destroyed', 'the connection was cut'],
  ['getaddrinfo ENOTFOUND eu-west-3.example.org', 'its name cannot be resolved'],
  ['connect EHOSTUNREACH 10.0.0.1:6443', 'no route leads to it'],
  ['connect ETIMEDOUT 10.0.0.1:6443', 'no answer in time'],
  ['The request timed out', 'no answer in time'],
  ['no answer', 'no answer'],
])('%s', (message, words) => {
  expect(faultText({ type: 'unreachable', message })).toBe(words);
});

it('leaves what a server says as it is', () => {
  expect(faultText({ type: 'forbidden', message: 'kustomizations is forbidden: ETIMEDOUT' })).toContain('forbidden');
});

const kind = { group: 'a.org', kind: 'A' };
const server: ClusterFault = { type: 'server', status: 500, message: 'etcd' };
const refused: ClusterFault = { type: 'forbidden', message: 'RBAC' };

it.each<readonly [FeedState, string | null]>([
  [{ state: 'forbidden', fault: refused }, 'RBAC'],
  [{ state: 'failed', fault: server }, 'etcd'],
  [{ state: 'silent' }, 'The watch has said nothing past its bookmarks.'],
  [{ state: 'absent' }, 'The cluster does not serve this kind.'],
  [{ state: 'syncing' }, null],
  [{ state: 'live' }, null],
  [{ state: 'idle' }, null],
])('%j is not read for this reason: %s', (state, reason) => expect(reasonOf(state)).toBe(reason));

const feed = { kind, state: 'failed', reason: 'etcd', fault: server, since: 5, cut: false } as const;
const forbidden = { ...feed, state: 'forbidden', reason: 'RBAC', fault: refused, since: 7 } as const;
const none = 'None of its kinds can be read:';

it.each<readonly [string, Parameters<typeof blindOf>[0], ReturnType<typeof blindOf>]>([
  ['no kind', [], null],
  ['a kind that fails', [feed], { state: 'unreachable', since: 5, reason: `${none} etcd` }],
  ['a kind that is refused', [forbidden], { state: 'unauthorized', since: 7, reason: `${none} RBAC` }],
  [
    'one that is refused, one that fails',
    [forbidden, feed],
    { state: 'unreachable', since: 7, reason: `${none} etcd` },
  ],
  [
    'one that fails, one that is refused',
    [feed, forbidden],
    { state: 'unreachable', since: 7, reason: `${none} etcd` },
  ],
  [
    'two that are refused',
    [forbidden, { ...forbidden, reason: 'other', since: 3 }],
    { state: 'unauthorized', since: 7, reason: `${none} RBAC` },
  ],
  ['two that fail', [feed, { ...feed, reason: 'other' }], { state: 'unreachable', since: 5, reason: `${none} etcd` }],
  [
    'one that is silent',
    [{ ...feed, state: 'silent', reason: null, fault: null }],
    { state: 'unreachable', since: 5, reason: `${none} silent` },
  ],
  ['one that was cut off', [{ ...feed, cut: true }], null],
  ['one that fails and one that is absent', [{ ...feed, state: 'absent' }, feed], blindOf([feed])],
  [
    'one that fails beside the Leases',
    [feed, { ...feed, kind: { group: '', kind: 'Event' }, state: 'live' }],
    blindOf([feed]),
  ],
  ...(['syncing', 'live', 'idle'] as const).map(
    (state) => [`one that fails and one that is ${state}`, [feed, { ...feed, state }], null] as const,
  ),
])('of a cluster with %s is not seen', (_what, feeds, blind) => expect(blindOf(feeds)).toEqual(blind));
