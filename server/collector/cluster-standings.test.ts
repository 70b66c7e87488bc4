import { expect, it } from 'vitest';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { silentLog } from '#server/runtime/log.ts';
import { createClusterStandings } from './cluster-standings.ts';

const row = (name: string, state: CurrentCluster['state'], since: number, reason: string | null = null) => ({
  name,
  state,
  since,
  reason,
});

function standings() {
  const said: unknown[] = [];
  const log = {
    ...silentLog,
    warn: (data: object, message: string) => void said.push(['warn', message, data]),
    info: (data: object, message: string) => void said.push(['info', message, data]),
  };
  return { ...createClusterStandings(log), said };
}

it('says of a cluster once that it is lost, whatever then changes, and once that it is back', () => {
  const { take, lost, said } = standings();
  take(row('eu', 'connecting', 1_000));
  take(row('eu', 'live', 2_000));
  expect([lost(), said]).toEqual([[], []]);
  take(row('eu', 'unreachable', 5_000, 'connect ECONNREFUSED'));
  take(row('eu', 'unreachable', 5_000, 'connect ETIMEDOUT'));
  take(row('eu', 'unauthorized', 5_000, 'token expired'));
  take(row('eu', 'connecting', 8_000));
  take(row('us', 'live', 2_000));
  expect(lost()).toEqual([row('eu', 'unauthorized', 5_000, 'token expired')]);
  expect(said).toEqual([
    ['warn', 'a cluster is not seen', { cluster: 'eu', state: 'unreachable', reason: 'connect ECONNREFUSED' }],
  ]);
  said.length = 0;
  take(row('eu', 'live', 65_000));
  take(row('eu', 'live', 65_000));
  expect([lost(), said]).toEqual([[], [['info', 'a cluster is seen again', { cluster: 'eu', lostForSeconds: 60 }]]]);
  take(row('eu', 'unreachable', 70_000));
  expect(said).toHaveLength(2);
});

it('names those that are lost by name, and forgets one that is configured no longer', () => {
  const { take, forget, lost, said } = standings();
  for (const name of ['us', 'eu', 'ap']) take(row(name, 'misconfigured', 1_000, 'no such file'));
  take(row('not on a cluster', 'declared', 1_000));
  expect(lost().map(({ name }) => name)).toEqual(['ap', 'eu', 'us']);
  forget('eu');
  expect(lost().map(({ name }) => name)).toEqual(['ap', 'us']);
  expect(said).toHaveLength(3);
});
