import { expect, it } from 'vitest';
import type { AlarmSource, ProgramStanding } from '#lib/domain/alarm/source.ts';
import { createCoverage } from './coverage.ts';
import { createStanding } from './standing.ts';

function program(given: Partial<ProgramStanding>): ProgramStanding {
  return {
    program: 'prometheus',
    url: 'http://p',
    state: 'live',
    since: 0,
    reason: null,
    readAt: 0,
    validUntil: 60_000,
    ...given,
  };
}

function source(programs: readonly ProgramStanding[], cut: readonly string[] = []): AlarmSource {
  return { name: 'main', attribution: { label: 'cluster', aliases: {}, clusters: [] }, programs, cut };
}

const told = { source: 'main', clusters: ['eu'] };

it('begins with what cannot be read: since the last proof ran out, where that was before', () => {
  const first = (stored: AlarmSource | null) => createCoverage('main', ['eu'], stored, 100_000).first;
  const reason = 'It has not been read whole since Plumbline started.';
  expect(first(null)).toEqual({ ...told, at: 100_000, read: false, reason });
  expect(first(source([program({}), program({ validUntil: 70_000 })]))).toEqual({
    ...told,
    at: 60_000,
    read: false,
    reason,
  });
  expect(first(source([program({ validUntil: 200_000 })]))).toEqual({ ...told, at: 100_000, read: false, reason });
});

it('tells when it can be read, and when not, each once', () => {
  const { keeper } = createCoverage('main', ['eu'], null, 0);
  const both = (a: Partial<ProgramStanding>, b: Partial<ProgramStanding>) => source([program(a), program(b)]);
  expect(keeper.after(both({ validUntil: 61_000 }, { state: 'reading', validUntil: 0 }), 1_000, 2_000)).toEqual([]);
  expect(keeper.after(both({ validUntil: 61_000 }, { validUntil: 63_000 }), 3_000, 4_000)).toEqual([
    { ...told, at: 3_000, read: true, reason: null },
  ]);
  expect(keeper.after(both({ validUntil: 76_000 }, { validUntil: 63_000 }), 16_000, 17_000)).toEqual([]);
  const failed = {
    state: 'failed',
    url: 'http://am',
    reason: 'It answers with HTTP 503.',
    validUntil: 63_000,
  } as const;
  expect(keeper.after(both({ validUntil: 76_000 }, failed), 18_000, 28_000)).toEqual([
    { ...told, at: 28_000, read: false, reason: 'http://am: It answers with HTTP 503.' },
  ]);
  expect(keeper.after(both({ validUntil: 91_000 }, { ...failed, reason: 'Other words.' }), 31_000, 32_000)).toEqual([]);
  expect(keeper.after(both({ validUntil: 91_000 }, { validUntil: 93_000 }), 33_000, 34_000)).toEqual([
    { ...told, at: 33_000, read: true, reason: null },
  ]);
});

it('what was not read in time was not read since its proof ran out', () => {
  const { keeper } = createCoverage('main', ['eu'], null, 0);
  keeper.after(source([program({ validUntil: 60_000 })]), 0, 1_000);
  expect(keeper.after(source([program({ validUntil: 360_000 })]), 300_000, 301_000)).toEqual([
    { ...told, at: 60_000, read: false, reason: 'It was not read in time.' },
    { ...told, at: 300_000, read: true, reason: null },
  ]);
});

it('what a bound cut short is not read whole', () => {
  const { keeper } = createCoverage('main', ['eu'], null, 0);
  expect(keeper.after(source([program({})], ['It has 5,001 rules.']), 0, 1_000)).toEqual([]);
  expect(keeper.after(source([program({})]), 2_000, 3_000)).toHaveLength(1);
  expect(keeper.after(source([program({})], ['It has 5,001 rules.']), 15_000, 16_000)).toEqual([
    { ...told, at: 16_000, read: false, reason: 'It has 5,001 rules.' },
  ]);
});

it('where nobody knows whether an alert calls, nobody knows what is silent', () => {
  const { keeper } = createCoverage('main', ['eu'], null, 0);
  keeper.after(source([program({})]), 1_000, 2_000);
  const reason = 'http://p does not say whether a time interval mutes 1 alert.';
  expect(keeper.after(source([program({})]), 15_000, 16_000, reason)).toEqual([
    { ...told, at: 16_000, read: false, reason },
  ]);
});

it('nothing is read once Plumbline has stopped', () => {
  const { keeper } = createCoverage('main', ['eu'], null, 0);
  expect(keeper.stopped(500)).toEqual([]);
  keeper.after(source([program({})]), 1_000, 1_000);
  expect(keeper.stopped(5_000)).toEqual([{ ...told, at: 5_000, read: false, reason: 'Plumbline has stopped.' }]);
});

it('a program is live once each of its tasks was done, and believed for a minute after the reading began', () => {
  const standing = createStanding('alertmanager', 'http://am', ['status', 'alerts'], 1_000);
  expect(standing.now()).toMatchObject({ state: 'reading', since: 1_000, readAt: null, validUntil: 1_000 });
  standing.succeeded('alerts', 2_000, 3_000, true);
  expect(standing.now()).toMatchObject({ state: 'reading', since: 1_000, readAt: 2_000, validUntil: 62_000 });
  standing.succeeded('status', 3_000, 4_000, false);
  expect(standing.now()).toMatchObject({ state: 'live', since: 4_000, readAt: 2_000, validUntil: 62_000 });
  standing.failed('status', 'no', 5_000);
  standing.succeeded('alerts', 6_000, 7_000, true);
  expect(standing.now()).toMatchObject({
    state: 'failed',
    since: 5_000,
    reason: 'no',
    readAt: 6_000,
    validUntil: 66_000,
  });
  standing.failed('status', 'still not', 8_000);
  expect(standing.now()).toMatchObject({ state: 'failed', since: 5_000, reason: 'still not' });
  standing.succeeded('status', 9_000, 10_000, false);
  expect(standing.now()).toMatchObject({ state: 'live', since: 10_000, reason: null });
});
