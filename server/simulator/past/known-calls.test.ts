import { expect, it } from 'vitest';
import { hour, minute, second } from '#lib/domain/time/length.ts';
import { callWithoutOutage } from './alarm-calls.ts';
import { asKnown } from './known-calls.ts';

const start = Date.UTC(2026, 10, 1);
const ref = { cluster: 'eu-west-3', group: 'g', kind: 'Kustomization', namespace: 'flux-system', name: 'checkout' };
const caller = { source: 'monitoring', address: 'https://a.example', receiver: 'oncall', alert: 'NotReady' };
const times = { since: start + hour, unread: [{ from: start + 3 * hour, to: start + 4 * hour }], to: start + 6 * hour };
const late = 9 * second;

it.each<readonly [string, number, number, readonly (readonly [number, number | null])[]]>([
  ['as it was', 80, 20, [[80 * minute + late, 100 * minute + late]]],
  ['from when the source was read first', 20, 60, [[hour + late, 80 * minute + late]]],
  ['never, where it was over by then', 20, 30, []],
  ['to after the gap in which it ended', 170, 30, [[170 * minute + late, 4 * hour + late]]],
  ['from after the gap in which it began', 200, 80, [[4 * hour + late, 280 * minute + late]]],
  ['never, where all of it lay in the gap', 200, 20, []],
  ['without an end that is yet to come', 350, 30, [[350 * minute + late, null]]],
])('a call is known %s', (_what, from, length, expected) => {
  const call = callWithoutOutage(caller, ref, start + from * minute, length * minute);
  expect(
    asKnown([{ names: ref, call }], times).map(({ call: known }) => [
      known.from - start,
      known.to === null ? null : known.to - start,
    ]),
  ).toEqual(expected);
});
