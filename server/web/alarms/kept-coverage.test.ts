import { expect, it } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { recorded } from '#lib/domain/testing/observed.ts';
import { second } from '#lib/domain/time/length.ts';
import { keptCoverage } from './kept-coverage.ts';

const fleet = { stamp: () => 1, all: () => [] };
const page = { unknown: null, sources: [], kinds: [], findings: [], silent: [] };

/** Alarms whose coverage is made in so many parts; `made` counts the parts. */
function inParts(parts: number): { readonly alarms: KnownAlarms; readonly made: number[] } {
  const made: number[] = [];
  return {
    made,
    alarms: {
      ...unknownAlarms('none'),
      *coverage(_clusters, now) {
        for (let part = 0; part < parts; part++) {
          made.push(now);
          yield;
        }
        return page;
      },
    },
  };
}

it('makes a part in each turn, once for all who ask', async () => {
  const { alarms, made } = inParts(3);
  const coverage = keptCoverage(fleet, alarms, defaultPolicy);
  const asked = [coverage(0), coverage(1)];
  expect(made).toHaveLength(1);
  expect(await Promise.all(asked)).toEqual([page, page]);
  expect(made).toEqual([0, 0, 0]);
  await coverage(5 * second);
  expect(made).toEqual([0, 0, 0, 5 * second, 5 * second, 5 * second]);
});

it('gives the same list of silent objects for as long as they are the same', async () => {
  const [first, other] = [recorded(), recorded()];
  let silent = [first];
  const alarms: KnownAlarms = {
    ...unknownAlarms('none'),
    *coverage() {
      yield;
      return { ...page, silent: [...silent] };
    },
  };
  const coverage = keptCoverage(fleet, alarms, defaultPolicy);
  const before = (await coverage(0)).silent;
  expect(before).toEqual([first]);
  expect((await coverage(5 * second)).silent).toBe(before);
  for (const [turn, changed] of [[other], [other, first], []].entries()) {
    silent = changed;
    expect((await coverage((turn + 2) * 5 * second)).silent).toEqual(changed);
  }
});

it('lets one of those who waited go on in each turn', async () => {
  const coverage = keptCoverage(fleet, inParts(1).alarms, defaultPolicy);
  let answered = 0;
  const asked = Array.from({ length: 5 }, async () => {
    await coverage(0);
    answered += 1;
  });
  const steps: number[] = [];
  for (let before = 0; answered < asked.length; before = answered) {
    await setImmediate();
    steps.push(answered - before);
  }
  expect(Math.max(...steps)).toBe(1);
});

it('tells everybody who waits that it failed, and is made anew', async () => {
  let isBroken = true;
  const alarms: KnownAlarms = {
    ...unknownAlarms('none'),
    *coverage() {
      yield;
      if (isBroken) throw new Error('broken');
      return page;
    },
  };
  const coverage = keptCoverage(fleet, alarms, defaultPolicy);
  const asked = await Promise.allSettled([coverage(0), coverage(0)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await coverage(5 * second)).toEqual(page);
});
