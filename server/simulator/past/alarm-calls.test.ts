import { expect, it } from 'vitest';
import { minute, second } from '#lib/domain/time/length.ts';
import { seededRandom } from '../random.ts';
import { callsFor, callWithoutOutage, mannerOf } from './alarm-calls.ts';
import type { Manner } from './alarm-calls.ts';

const ref = {
  cluster: 'eu-west-3',
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  namespace: 'flux-system',
  name: 'checkout',
};
const caller = {
  source: 'monitoring',
  address: 'https://alertmanager.acme.example',
  receiver: 'oncall',
  alert: 'FluxObjectNotReady',
};
const start = Date.UTC(2026, 10, 1);
const twice = { is: 'twice', after: 5 * minute, lasts: 10 * minute, pause: 3 * minute } as const;

/** Minutes from the outage's beginning at which its calls' alerts began and were over; null while one lasts. */
function minutes(manner: Manner, lasts: number | null): readonly (readonly [number, number | null])[] {
  const to = lasts === null ? null : start + lasts * minute;
  const at = (time: number): number => (time - start) / minute;
  return callsFor(caller, { ref, from: start, to }, manner).map((call) => [
    at(call.startsAt),
    call.to === null ? null : at(call.to - 9 * second),
  ]);
}

it.each<readonly [string, Manner, number | null, readonly (readonly [number, number | null])[]]>([
  ['in time, till its end', { is: 'once', after: 5 * minute }, 40, [[5, 40]]],
  ['in time, and it lasts', { is: 'once', after: 5 * minute }, null, [[5, null]]],
  ['late', { is: 'once', after: 30 * minute }, 40, [[30, 40]]],
  ['over before its alert fired', { is: 'once', after: 5 * minute }, 5, []],
  ['never', { is: 'never' }, 40, []],
  [
    'twice',
    twice,
    40,
    [
      [5, 15],
      [18, 40],
    ],
  ],
  [
    'twice, and it lasts',
    twice,
    null,
    [
      [5, 15],
      [18, null],
    ],
  ],
  ['twice, and over within the pause', twice, 16, [[5, 15]]],
  ['twice, and over within the first', twice, 12, [[5, 12]]],
  ['twice, and over before either', twice, 4, []],
])('an outage is called for: %s', (_, manner, lasts, calls) => {
  expect(minutes(manner, lasts)).toEqual(calls);
});

it('names the object, and is known a reading later', () => {
  const [call] = callsFor(caller, { ref, from: start, to: null }, { is: 'once', after: minute });
  expect(call).toMatchObject({
    source: 'monitoring',
    alert: 'FluxObjectNotReady',
    cluster: 'eu-west-3',
    receivers: ['oncall'],
    labels: { customresource_kind: 'Kustomization', exported_namespace: 'flux-system', name: 'checkout' },
    startsAt: start + minute,
    from: start + minute + 9 * second,
  });
  expect(call?.key).toMatch(/^https:\/\/alertmanager\.acme\.example [0-9a-f]{16}$/);
  const again = callsFor(caller, { ref: { ...ref, namespace: '' }, from: start, to: null }, { is: 'once', after: 0 });
  expect(again[0]?.labels).not.toHaveProperty('exported_namespace');
});

it('comes without an outage as well', () => {
  expect(callWithoutOutage(caller, ref, start, 20 * minute)).toMatchObject({
    startsAt: start,
    to: start + 20 * minute + 9 * second,
  });
});

it('is mostly in time, and every manner comes by chance: the same for the same seed', () => {
  const random = seededRandom(3);
  const manners = Array.from({ length: 500 }, () => mannerOf(random));
  const count = (isOne: (manner: Manner) => boolean): number => manners.filter(isOne).length;
  expect(count((one) => one.is === 'once' && one.after < 10 * minute)).toBeGreaterThan(350);
  expect(count((one) => one.is === 'once' && one.after > 15 * minute)).toBeGreaterThan(25);
  expect(count((one) => one.is === 'twice')).toBeGreaterThan(10);
  expect(count((one) => one.is === 'never')).toBeGreaterThan(15);
  expect(mannerOf(seededRandom(3))).toEqual(manners[0]);
});
