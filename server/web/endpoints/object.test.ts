import { expect, it } from 'vitest';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { sampleMoment } from '../testing/moment.ts';
import { sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
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
