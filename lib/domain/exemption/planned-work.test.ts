import { expect, it } from 'vitest';
import { plannedWorkOn, type PlannedWork } from './planned-work.ts';
import { noon } from '../testing/observed.ts';
import { minute } from '../time/length.ts';

const short: PlannedWork = { clusters: ['eu-west-3', 'stg'], until: noon + minute, reason: 'Node pools' };
const long: PlannedWork = { clusters: ['eu-west-3'], until: noon + 60 * minute, reason: 'Upgrade to 1.36' };

it.each([
  ['the one that lasts longest', 'eu-west-3', noon, long],
  ['another cluster', 'stg', noon, short],
  ['over at its very end', 'stg', noon + minute, null],
  ['none', 'us-east-1', noon, null],
] as const)('%s', (_name, cluster, now, expected) => {
  expect(plannedWorkOn([short, long], cluster, now)).toBe(expected);
  expect(plannedWorkOn([long, short], cluster, now)).toBe(expected);
});
