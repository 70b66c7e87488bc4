import { expect, it } from 'vitest';
import type { WireIncidentCalls } from '#lib/api/incident.ts';
import { minutesAgo } from '../testing/wire-fleet.ts';
import { wireCalls, wireIncident } from '../testing/wire-incident.ts';
import { calledText, isSilent } from './called-text.ts';
import { calledStory } from './one/called-story.ts';

const { first } = wireCalls();
const nobody = { first: null, count: 0 };

it.each<readonly [string, string, WireIncidentCalls | null, string | null, boolean]>([
  ['in time', 'called after 4 min by FluxObjectNotReady', wireCalls(), null, false],
  [
    'late',
    'called late, after 4 min by FluxObjectNotReady',
    wireCalls({ first: first && { ...first, late: true } }),
    null,
    false,
  ],
  [
    'out of the unknown, in time',
    'called within 4 min by FluxObjectNotReady',
    wireCalls({ first: first && { ...first, bound: 'at-most' } }),
    null,
    false,
  ],
  [
    'out of the unknown, late',
    'called late, within 4 min by FluxObjectNotReady',
    wireCalls({ first: first && { ...first, bound: 'at-most', late: true } }),
    null,
    false,
  ],
  [
    'out of the unknown',
    'called perhaps late, within 4 min by FluxObjectNotReady',
    wireCalls({ first: first && { ...first, bound: 'at-most', late: null } }),
    null,
    false,
  ],
  [
    'at once',
    'called as it began by FluxObjectNotReady',
    wireCalls({ first: first && { ...first, afterMs: 0 } }),
    null,
    false,
  ],
  [
    'by its cause',
    'called after 4 min by FluxObjectNotReady, for what it waits for',
    wireCalls({ first: first && { ...first, by: 'cause' } }),
    null,
    false,
  ],
  ['nobody', 'nobody was called', wireCalls(nobody), null, true],
  ['not known', 'not known if anybody was called', wireCalls({ ...nobody, silentMs: 0, unknownMs: 1 }), null, false],
  ['in part', 'nobody is known to have been called', wireCalls({ ...nobody, unknownMs: 1 }), null, false],
  ['not due', 'no alarm due yet', wireCalls({ ...nobody, due: false }), null, false],
  ['short', 'over before an alarm was due', wireCalls({ ...nobody, due: false }), minutesAgo(1), false],
  ['too much', 'not known if anybody was called', null, null, false],
])('says who was called: %s', (_what, words, calls, closedAt, silent) => {
  expect(calledText({ calls, closedAt })).toBe(words);
  expect(isSilent({ calls, closedAt })).toBe(silent);
});

it.each<readonly [WireIncidentCalls | null, string]>([
  [
    wireCalls({ count: 3, unknownMs: 60_000 }),
    'oncall was called 4 min after the first object left git by FluxObjectNotReady. There were 3 calls in all. For 4 min of it so far nobody was called. For 1 min of it so far that is not known: alarms could not be read, or one named no object.',
  ],
  [
    wireCalls({ first: first && { ...first, late: true }, silentMs: 0 }),
    'oncall was called 4 min after the first object left git by FluxObjectNotReady: later than policy.alarmWithin allows.',
  ],
  [
    wireCalls({ first: first && { ...first, bound: 'at-most', late: null }, silentMs: 0 }),
    'oncall was called at most 4 min after the first object left git by FluxObjectNotReady: perhaps later than policy.alarmWithin allows, for an earlier call may not have been seen.',
  ],
  [wireCalls({ ...nobody, silentMs: 47 * 60_000 }), 'Nobody was called.'],
  [
    wireCalls({ ...nobody, silentMs: 0, unknownMs: 60_000 }),
    'Whether anybody was called is not known. For 1 min of it so far that is not known: alarms could not be read, or one named no object.',
  ],
  [null, 'Who was called is not known: it has more members, or more calls in its time, than are looked at.'],
])('tells the story of the calls, %#', (calls, story) => {
  expect(calledStory(wireIncident({ calls }), true)).toBe(story);
});

it('names the cluster of the first call where the incident has others, of which it says nothing', () => {
  const calls = wireCalls({ silentMs: 0 });
  expect(calledStory(wireIncident({ calls, clusterCount: 9 }), true)).toBe(
    'oncall was called 4 min after the first object left git by FluxObjectNotReady on eu-west-3, one of 9 clusters.',
  );
});

it('does not say to who sees a part of the fleet that nobody was called, where that is not known of what lies outside', () => {
  expect(calledStory(wireIncident({ calls: null }), false)).toBe(
    'Who was called is not known in your view: somebody may have been called for what lies outside it, or it has more members, or more calls in its time, than are looked at.',
  );
});
