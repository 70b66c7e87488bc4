import { expect, it } from 'vitest';
import { defaultPolicy, type Policy } from '#lib/domain/guarantee.ts';
import type { CurrentObject } from '#lib/domain/current.ts';
import { knownFleet } from '../picture/known-fleet.ts';
import { createPicture } from '../picture/picture.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';
import { clusterSentence } from './cluster-sentence.ts';

const unread = { alarm: { state: 'unknown', broken: null } } as const;
const sounding = { alarm: { state: 'sounding', broken: null } } as const;
const good = sampleObject({ name: 'good' });
const away = sampleDiverged({ name: 'away' });
const stale = sampleDiverged({ name: 'stale' }, { verdict: 'stale' });

function told(objects: readonly CurrentObject[], hidden: readonly string[] = [], policy: Policy = defaultPolicy) {
  const picture = createPicture();
  picture.apply([{ type: 'cluster', cluster: sampleCluster('eu-west-3') }]);
  picture.apply(objects.map((object) => ({ type: 'object', object })));
  const known = knownFleet(picture, policy).cluster('eu-west-3', sampleNow);
  if (known === null) throw new Error('The cluster is not there.');
  return clusterSentence(known, hidden, sampleNow);
}

function sentence(...asked: Parameters<typeof told>): string {
  return told(...asked).text;
}

it.each([
  ['in order', [good], 'So it is: 1 object.'],
  ['nothing', [], 'That cannot be said: no object of a reconciler has been found here yet.'],
  ['silent', [good, away], 'Not so: 1 of 2 objects is away from git and nobody was called.'],
  ['silent and stale', [away, stale], 'Not so: 1 of 2 objects is away from git and 1 is stale, and nobody was called.'],
  ['silent, only stale', [good, stale], 'Not so: 1 of 2 objects is stale and nobody was called.'],
  [
    'no alarm source',
    [
      { ...away, ...unread },
      { ...stale, ...unread },
    ],
    'Not as in git: 1 of 2 objects is away from git and 1 is stale. No alarm source is read: whether anybody was called cannot be said.',
  ],
  [
    'only stale, no alarm source',
    [good, { ...stale, ...unread }],
    'That cannot be said: 1 of 2 objects is stale. No alarm source is read: whether anybody was called cannot be said.',
  ],
  [
    'sounding',
    [good, { ...stale, ...sounding }],
    'So it is: 1 of 2 objects is stale, and alarms are sounding or not yet due.',
  ],
])('%s', (_name, objects, expected) => {
  expect(sentence(objects)).toBe(expected);
});

it('what cannot be read comes before what is in order, and what is stale is not called away', () => {
  expect(sentence([good], ['HelmRelease'])).toBe(
    'That cannot be said: HelmRelease cannot be read here. Of 1 object that is seen, none is away from git.',
  );
  expect(sentence([good, { ...stale, ...sounding }], ['HelmRelease'])).toBe(
    'That cannot be said: HelmRelease cannot be read here. Of what is seen, 1 of 2 objects is stale.',
  );
});

it('planned work makes nothing good', () => {
  const maintenance = [{ clusters: ['eu-west-3'], until: sampleNow + 1, reason: 'Upgrade' }];
  expect(sentence([good, away], [], { ...defaultPolicy, maintenance })).toBe(
    'So it is but for planned work: 1 of 2 objects is not known to be as in git.',
  );
});

it('is never more than unknown where the sentence says that it cannot be said', () => {
  const truthOf = (objects: readonly CurrentObject[], hidden: readonly string[] = []) => told(objects, hidden).truth;
  expect([truthOf([good]), truthOf([away]), truthOf([{ ...stale, ...sounding }])]).toEqual([
    'holds',
    'broken',
    'holds',
  ]);
  expect([truthOf([]), truthOf([{ ...stale, ...unread }]), truthOf([good], ['HelmRelease'])]).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ]);
});
