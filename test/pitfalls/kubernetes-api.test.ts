// The caveats of watching many API servers (docs/facts/kubernetes-api.md), and the test in which each is played: what
// Kubernetes' own JavaScript client gets wrong, and what servers do that a reader must bear. A test that is renamed or gone fails here.
import { expect, it } from 'vitest';
import { isThere } from './named-tests.ts';

const clusters = 'server/collector/clusters';
const reflector = `${clusters}/watch/reflector.test.ts`;
const resume = `${clusters}/watch/reflector-resume.test.ts`;
const transport = `${clusters}/transport/transport.test.ts`;
const kubeconfig = `${clusters}/kubeconfig/kubeconfig.test.ts`;
const network = 'test/integration/hostile-network.test.ts';
const hour = 'test/integration/hostile-hour.test.ts';
const access = 'test/integration/hostile-access.test.ts';

it.each([
  // What the informer of @kubernetes/client-node does, and Plumbline's reflector must not.
  ['stops for ever on any error but 410 (one HTTP 500)', hour, 'by HTTP 500 on every new watch'],
  ['stops for ever on an error of a list', hour, 'through HTTP 500 on the list'],
  [
    'a rejected login on a reconnect kills the process',
    transport,
    'tells credentials that fail as a value, and connects once they work',
  ],
  ['kills every quiet watch after 30 s', transport, 'keeps a quiet connection that answers pings'],
  [
    'a TLS connection for each watch and each reconnect',
    transport,
    'opens a second session beyond the streams of the first',
  ],
  ['no bookmarks', resume, 'goes on from the last bookmark'],
  [
    'no timeoutSeconds',
    resume,
    'asks for a random time of 5 to 10 minutes, and ends a stream that the server keeps longer',
  ],
  ['no sendInitialEvents', reflector, 'streams it (WatchList), and goes on on the same stream'],
  ['no pages', reflector, 'reads in pages what is too large for one answer, and smaller pages what is still too large'],
  ['no back-off but after a clean end', resume, 'a very short watch is an error and waits ever longer'],
  [
    'what cannot be parsed is swallowed',
    reflector,
    'a stream that opens and then says only what cannot be read is failed, not live again with each attempt',
  ],
  ['what cannot be parsed is swallowed (on the wire)', hour, 'by a line that is no JSON'],
  [
    'keeps whole objects, managedFields too',
    'server/collector/reconcilers/recorded.test.ts',
    'no observation keeps managedFields or what was last applied by hand',
  ],
  ['an ERROR event other than 410 is ignored', resume, 'an ERROR event other than 410 goes on without a list'],
  [
    'an object without metadata resets the version',
    resume,
    'an object without metadata does not reset the version, nor does a bookmark',
  ],
  ['impersonates a user only', kubeconfig, 'gives basic credentials and impersonation'],
  [
    'does not trim a token file, nor find it beside its kubeconfig',
    kubeconfig,
    'reads a rotating token file again: relative to the kubeconfig, trimmed, each minute and after a 401',
  ],
  [
    'an exec plugin is not run again before its credential expires',
    kubeconfig,
    'runs again shortly before the credential expires, and after a 401',
  ],
  [
    'the words of an exec plugin (a secret) are printed',
    kubeconfig,
    'gets no secrets of ours, and is told that nobody can answer questions',
  ],
  // What servers do.
  [
    'WatchList is off on 1.33 and unknown before 1.32',
    reflector,
    'falls back where an old server ignores sendInitialEvents (a bookmark without its annotation)',
  ],
  [
    'WatchList is off and a continue token expires',
    hour,
    'where WatchList is off, in pages whose continue token expires',
  ],
  ['410 as an ERROR event', hour, 'by 410 as an ERROR event'],
  ['410 as a status', hour, 'by 410 as a status'],
  ['429 with Retry-After is waited for, without a list', resume, 'waits as long as Retry-After says'],
  [
    '500 for longer than a minute is listed anew',
    resume,
    'a server that fails for longer than a minute is listed anew, as client-go does',
  ],
  [
    'a resourceVersion from a future that never came',
    reflector,
    'twice silent without a word between: lists anew (a version from a future that never came)',
  ],
  ['100 streams for each connection', transport, 'opens a second session beyond the streams of the first'],
  ['GOAWAY, at random', transport, 'GOAWAY: streams go on, new ones go over a new session, and it is no disconnect'],
  ['a stream that is reset', hour, 'by streams that are reset'],
  [
    'streams that are cancelled fast end the connection (GOAWAY 2)',
    transport,
    'cancels streams one by one and stays connected',
  ],
  ['a connection that swallows everything', transport, 'finds a blackholed connection by ping and reconnects'],
  [
    'a stream that stays open and says nothing, not even bookmarks',
    reflector,
    'a stream silent past its bookmarks is told and reopened; only a word makes it live again',
  ],
  ['answers are compressed', transport, 'reads gzip, and refuses what is larger than asked for'],
  ['a proxy that speaks HTTP/1.1 only', network, 'a proxy that speaks HTTP/1.1 only'],
  ['a proxy that answers Tables', access, 'a kind that a proxy answers as a Table'],
  [
    'a kind that is forbidden is no empty kind',
    reflector,
    'forbidden is its own state, asked again soon at first (a server that starts), then slowly',
  ],
  ['a kind that vanishes', reflector, '404 asks for discovery; twice it is absent'],
  ['an empty kind', reflector, 'an empty kind is synced and live, not absent'],
  [
    'no aggregated discovery',
    `${clusters}/watch/discovery/discovery.test.ts`,
    'falls back to the older form, where a version that fails keeps its kinds',
  ],
  [
    '2,065 kinds of one provider',
    `${clusters}/watch/prober.test.ts`,
    'probes each of 2,065 kinds once a minute, eight at once at most, and tells how long the longest waited',
  ],
  ['a token that is rotated', access, 'a token that is rotated, its kubeconfig with it, goes unnoticed'],
  ['a restart resumes without a list', `${clusters}/session.test.ts`, 'resumes without a single list'],
  ['one sick cluster delays no other', `${clusters}/session.test.ts`, 'one sick cluster does not delay another'],
  [
    'nothing but reads and self reviews',
    'test/integration/only-get.test.ts',
    'nothing but GET and the two self reviews, under faults and token rotation',
  ],
])('%s', (_caveat, file, title) => {
  expect(isThere({ file, title })).toBe(true);
});
