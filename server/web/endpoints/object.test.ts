import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { expect, it } from 'vitest';
import type { AlarmChain } from '#lib/domain/alarm/chain.ts';
import { noGit } from '#server/git/port/git-reader.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { answerOf, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
import { toldAlarms } from '../testing/told-alarms.ts';
import { object } from './object.ts';

const ref = sampleRef({ name: 'gone' });
const store = memoryStore();
for (const at of [sampleNow - 2, sampleNow - 1])
  store.transition({
    ref,
    uid: 'u',
    at,
    bound: 'exact',
    noticedAt: at,
    from: 'converged',
    to: null,
    reason: 'Gone',
    message: '',
    commit: null,
    attempted: null,
    rootCause: null,
  });

it.each([
  ['with the last change that is recorded of it', ref, true],
  ['alone where nothing is recorded', sampleRef({ name: 'never' }), false],
])('an object that is not there is refused, %s', async (_what, asked, recorded) => {
  const fleetCache = createFleetCache();
  fleetCache.apply([{ type: 'object', object: sampleObject({ name: 'gone2' }) }]);
  const reader = await store.source.open();
  const moment = { ...sampleMoment(fleetCache), reader: () => reader };
  const at = '2026-11-21T01:59:59.999Z';
  const last = {
    ref,
    at,
    bound: 'exact',
    noticedAt: at,
    from: 'converged',
    to: null,
    reason: 'Gone',
    message: '',
    commit: null,
  };
  const answer = await object.ask(moment, asked);
  expect(answer).toEqual({
    refused: {
      type: 'not-found',
      what: `There is no Kustomization flux-system/${asked.name} on eu-west-3.`,
      nearest: recorded ? [sampleRef({ name: 'gone2' })] : [],
      ...(recorded ? { last } : {}),
    },
  });
});

it('an object that is not there is alone where the record cannot be read', async () => {
  expect(await object.ask(sampleMoment(createFleetCache()), ref)).toEqual({
    refused: { type: 'not-found', what: 'There is no Kustomization flux-system/gone on eu-west-3.', nearest: [] },
  });
});

async function answerWith(away: KnownObject, chain: AlarmChain) {
  const fleetCache = createFleetCache();
  fleetCache.apply([
    { type: 'cluster', cluster: sampleCluster('eu-west-3') },
    { type: 'object', object: away },
  ]);
  const alarms = { ...toldAlarms([away]), chainOf: () => chain };
  return answerOf(object, sampleMoment(fleetCache, undefined, noGit('None.'), alarms), away.ref);
}

it('an object does not tell how many alerts concern it where more may than were looked at', async () => {
  const away = sampleDiverged({ name: 'away' });
  const chain: AlarmChain = { alarm: away.alarm, steps: [], alerts: [], isCut: true, mend: null, asOf: null };
  expect((await answerWith(away, chain)).chain.alertsTotal).toBeNull();
});

it('an object is told with its chain: every link, the first 50 alerts of all, and times as in RFC 3339', async () => {
  const away = sampleDiverged({ name: 'away' }, { alarm: { state: 'silent', broken: 'receiver' } });
  const alert = { source: 'eu', name: 'NotReady', by: 'own', state: 'unheard', labels: { a: 'b' } } as const;
  const chain: AlarmChain = {
    alarm: away.alarm,
    steps: [
      { link: 'rule', state: 'whole', text: 'Rule NotReady reads it.', at: null },
      { link: 'receiver', state: 'broken', text: 'blackhole calls nobody.', at: sampleNow },
    ],
    alerts: Array.from({ length: 60 }, (_, at) => ({ ...alert, since: sampleNow - at, receivers: ['blackhole'] })),
    isCut: false,
    mend: 'Route it to a receiver that calls.',
    asOf: sampleNow - 1_000,
  };
  const answer = await answerWith(away, chain);
  const none = { since: null, by: null, why: null };
  expect(answer.chain).toEqual({
    alarm: { ...none, state: 'silent', broken: 'receiver' },
    steps: [
      { link: 'rule', state: 'whole', text: 'Rule NotReady reads it.', at: null },
      { link: 'receiver', state: 'broken', text: 'blackhole calls nobody.', at: '2026-11-21T02:00:00.000Z' },
    ],
    alerts: expect.any(Array),
    alertsTotal: 60,
    mend: 'Route it to a receiver that calls.',
    asOf: '2026-11-21T01:59:59.000Z',
  });
  expect(answer.chain.alerts).toHaveLength(50);
  expect(answer.chain.alerts[0]).toEqual({ ...alert, since: '2026-11-21T02:00:00.000Z', receivers: ['blackhole'] });
});
