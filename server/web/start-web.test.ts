import { alarmBook } from '#lib/domain/alarm/alarm-book.ts';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openAccess } from './access/access.ts';
import { linkList } from './embeds/link-list.ts';
import { startWeb } from './start-web.ts';
import { memoryStore } from './testing/memory-reader.ts';

it('a port that somebody else has is refused, with the reason', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const web = await startWeb({
    alarms: alarmBook(),
    host: '127.0.0.1',
    port,
    metricsPort: null,
    pod: null,
    source: memoryStore().source,
    openPast: () => Promise.reject(new Error('This test asks for no past.')),
    policy: defaultPolicy,
    repositories: [],
    pairs: [],
    gitSocket: '/nowhere/ask.sock',
    retention: { spans: 1, messages: 1 },
    embeds: { keys: null, frameAncestors: [], readersSign: null },
    links: linkList('/nowhere/links.db'),
    publicUrl: null,
    access: openAccess,
    simulated: false,
    clock: fakeClock(0),
    log: silentLog,
    mountPages: null,
  });
  other.close();
  const message = `cannot serve on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}`;
  expect(web).toEqual({ type: 'refused', message });
});
