import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterAccess } from '../access.ts';
import { failure } from '../answer.ts';
import { fixedAccess } from '../testing/scripted-server.ts';
import { defaultTuning } from '../tuning.ts';
import type { Link } from './link.ts';
import { createSender } from './sender.ts';

const { signal } = new AbortController();
const link: Link = {
  protocol: 'h2',
  room: () => true,
  open: () => () => undefined,
  drain: () => undefined,
  close: () => undefined,
};

/** A sender to a cluster, what was done to its connection, and a request that is ready. */
function sending(access: ClusterAccess) {
  const clock = fakeClock(0);
  const done: string[] = [];
  const sender = createSender(
    { access: { ...access, refresh: () => void done.push('refreshed') }, clock, tuning: defaultTuning },
    {
      acquire: () => Promise.resolve({ type: 'ok', link }),
      renew: () => void done.push('renewed'),
      stop: () => undefined,
    },
  );
  return {
    clock,
    done,
    sender,
    async ready() {
      const ready = await sender.prepare('get', signal);
      if (ready.type === 'fault') throw new Error('no link');
      return ready;
    },
  };
}

it('asks below the path of the server, with the credentials and its name', async () => {
  const { ready } = sending(
    fixedAccess('https://rancher.example.org/k8s/clusters/c-1/', { authorization: 'Bearer x' }),
  );
  expect((await ready()).request('/apis', { accept: 'a', authorization: 'none' }, '{}')).toEqual({
    path: '/k8s/clusters/c-1/apis',
    headers: { accept: 'a', authorization: 'Bearer x', 'user-agent': 'plumbline' },
    review: '{}',
  });
});

it('gives why there are no credentials', async () => {
  const why = failure({ type: 'credentials', message: 'no token' });
  const { sender } = sending({ ...fixedAccess('https://a.example.org'), headers: () => Promise.resolve(why) });
  expect(await sender.prepare('get', signal)).toEqual(why);
});

it('reads credentials anew once for all that met a 401 with them, and again no sooner than after 5 s', async () => {
  const { clock, done, ready } = sending(fixedAccess('https://a.example.org'));
  const [one, another] = [await ready(), await ready()];
  one.renewCredentials();
  another.renewCredentials();
  expect(done).toEqual(['refreshed', 'renewed']);
  clock.advance(10_000);
  another.renewCredentials();
  expect(done).toHaveLength(2);
  (await ready()).renewCredentials();
  expect(done).toHaveLength(4);
  clock.advance(4_999);
  (await ready()).renewCredentials();
  expect(done).toHaveLength(4);
  clock.advance(1);
  (await ready()).renewCredentials();
  expect(done).toHaveLength(6);
});
