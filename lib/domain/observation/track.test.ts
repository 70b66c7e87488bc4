import { describe, expect, it } from 'vitest';
import { bad, good, noon, observed, revisionA, revisionB, source } from '../testing/observed.ts';
import type { Observation } from './observation.ts';
import { begin, quietFor, receive, seenFromBirth, settle, settleDue, type Track } from './track.ts';
import { day, hour } from '../time/length.ts';

const busy = { said: 'busy', reason: 'Progressing', message: '', before: null } as const;

function after(track: Track, ...writes: readonly [number, Parameters<typeof observed>[0]][]): Track {
  return writes.reduce(
    (now, [at, part], index) => receive(now, observed({ resourceVersion: String(index + 2), ...part }), noon + at),
    track,
  );
}

it.each([
  [-1, true],
  [59_999, true],
  [60_000, false],
])('what is first seen %d ms after its birth was seen from then on: %s', (age, expected) => {
  expect(seenFromBirth(begin(observed({ createdAt: noon }), noon + age, true))).toBe(expected);
});

describe('settling', () => {
  it('believes a first sight within a list at once', () => {
    expect(begin(observed(), noon, true).settled?.shownAt).toBe(noon);
  });

  it('waits for quiet with an object that has just appeared', () => {
    const track = begin(observed(), noon, false);
    expect(track.settled).toBeNull();
    expect(settleDue(track)).toBe(noon + quietFor);
    expect(settle(track, noon + quietFor - 1).settled).toBeNull();
    expect(settle(track, noon + quietFor).settled?.shownAt).toBe(noon);
  });

  it('takes from a busy object what it still tells of its last settled state', () => {
    const track = begin(observed({ summary: { ...busy, before: bad('fetch', 'GitOperationFailed') } }), noon, true);
    expect(track.settled?.observation.summary).toMatchObject({ said: 'bad', fault: 'fetch' });
  });

  it('a quiet pass of five writes never publishes its half-written end', () => {
    const started = begin(observed(), noon - 30_000, true);
    const revisions = { applied: revisionA, attempted: revisionB, artifact: null, origin: null };
    const halfWritten = after(
      started,
      [0, { summary: busy }],
      [80, { summary: busy }],
      [150, { summary: busy }],
      [200, { revisions }],
    );
    expect(halfWritten.settled?.observation.revisions.applied).toBe(revisionA);
    expect(halfWritten.settled?.observation.revisions.attempted).toBe(revisionA);
    const done = receive(
      halfWritten,
      observed({ resourceVersion: '9', revisions: { ...revisions, applied: revisionB } }),
      noon + 208,
    );
    expect(settle(done, noon + 250).settled?.observation.revisions.applied).toBe(revisionA);
    const settled = settle(done, noon + 308);
    expect(settled.settled?.observation.revisions.applied).toBe(revisionB);
    expect(settled.busySince).toBeNull();
  });

  it('dates a new word at the first write that showed it', () => {
    const started = begin(observed(), noon - 30_000, true);
    const failed = after(
      started,
      [0, { summary: busy }],
      [200, { summary: bad('apply', 'BuildFailed') }],
      [210, { summary: bad('apply', 'BuildFailed') }],
    );
    expect(settle(failed, noon + 310).settled?.shownAt).toBe(noon + 200);
  });

  it('a word that the object leaves for its next pass is believed (HealthCheckFailed is followed by Unknown at once)', () => {
    const started = begin(observed(), noon - 30_000, true);
    const next = after(started, [0, { summary: bad('health', 'HealthCheckFailed') }], [20, { summary: busy }]);
    expect(next.settled?.observation.summary).toMatchObject({ said: 'bad', fault: 'health' });
    expect(next.busySince).toBe(noon + 20);
  });

  it('is believed in the end though the object never falls quiet', () => {
    let track = begin(observed(), noon - 60_000, true);
    for (let at = 0; at <= 2_000; at += 50)
      track = settle(
        receive(track, observed({ resourceVersion: `w${at}`, summary: bad('apply', 'BuildFailed') }), noon + at),
        noon + at + 15,
      );
    expect(track.settled).toMatchObject({ observation: { summary: { said: 'bad' } }, shownAt: noon });
  });

  it('the same word again keeps its date', () => {
    const failing = begin(observed({ summary: bad('apply', 'BuildFailed') }), noon - 60_000, true);
    const again = settle(
      after(failing, [0, { summary: busy }], [100, { summary: bad('apply', 'BuildFailed') }]),
      noon + 300,
    );
    expect(again.settled?.shownAt).toBe(noon - 60_000);
  });

  it('an object of the same name and another uid is another object', () => {
    const track = after(begin(observed(), noon - 60_000, true), [0, { uid: 'uid-2', summary: { said: 'nothing' } }]);
    expect(track.firstSeenAt).toBe(noon);
    expect(track.settled).toBeNull();
  });
});

describe('waits that a gap hides from each other', () => {
  const waits = bad('dependency', 'DependencyNotReady');
  const first = settle(after(begin(observed(), noon - 600_000, true), [-300_000, { summary: waits }]), noon - 299_000);
  const entry = {
    digest: 'd',
    revision: revisionB,
    status: 'ReconciliationSucceeded',
    first: null,
    last: noon - 60_000,
    total: 1,
  };
  const passed = {
    summary: waits,
    passes: { seenBy: 'history', last: noon - 60_000, total: 8 },
    revisions: { applied: revisionB, attempted: revisionB, artifact: null, origin: null },
  } as const;
  const settled = (track: Track): Track => settle(track, noon + quietFor);

  it('one that began after a pass is new: its time begins anew', () => {
    const next = settled(after(first, [0, { ...passed, history: [entry] }]));
    expect(next.settled?.shownAt).toBe(noon);
    expect(next.beforeWait).toEqual(good);
  });

  it('the same one goes on', () => {
    const next = settled(after(first, [0, { summary: waits }]));
    expect(next.settled?.shownAt).toBe(noon - 300_000);
    expect(next.beforeWait).toEqual(good);
  });

  it('one of which no pass is told is what it was before', () => {
    expect(settled(after(first, [0, { ...passed, history: [] }])).beforeWait).toEqual(good);
  });

  it('what failed in between is not what it was before', () => {
    const failed = { ...entry, status: 'HealthCheckFailed' };
    expect(settled(after(first, [0, { ...passed, history: [failed] }])).beforeWait).toBeNull();
  });
});

describe('passes', () => {
  const earlier = { seenBy: 'history', last: noon - 900_000, total: 3 } as const;
  it('a Kustomization dates its passes in its history', () => {
    const track = after(begin(observed(), noon - 60_000, true), [
      0,
      { passes: { seenBy: 'history', last: noon - 1_000, total: 4 } },
    ]);
    // The first moment of the second that it names.
    expect(track.lastPassAt).toBe(noon - 1_000);
    expect([track, settle(track, noon + quietFor)].map(({ passesSeen }) => passesSeen)).toEqual([0, 1]);
  });

  it.each<readonly [string, Partial<Observation>]>([
    ['by its history', { passes: { seenBy: 'history', last: noon - 300_000, total: 4 } }],
    [
      'by the write that ended it',
      { passes: { seenBy: 'writes', last: null, total: null }, lastWriteAt: noon - 300_000 },
    ],
    [
      'by the write that ended it, where it failed',
      { summary: bad('apply', 'BuildFailed'), passes: earlier, lastWriteAt: noon - 300_000 },
    ],
  ])('a stream that is resumed tells of passes long after they ended: they are dated %s', (_what, ended) => {
    const passes = ended.passes?.seenBy === 'writes' ? ended.passes : earlier;
    const before = begin(observed({ passes, lastWriteAt: noon - 900_000 }), noon - 800_000, true);
    const track = after(before, [10, { ...ended, summary: busy, passes }], [11, ended]);
    expect(track.lastPassAt).toBe(noon - 300_000);
    expect(settle(track, noon + 11 + quietFor).passesSeen).toBe(ended.summary === undefined ? 1 : 0);
  });

  it('a Kustomization that fails before its build leaves its history, and still passes', () => {
    const failing = { summary: bad('apply', 'BuildFailed') };
    const started = begin(
      observed({
        ...failing,
        lastWriteAt: noon - 90_000,
        passes: { seenBy: 'history', last: noon - hour, total: 3 },
      }),
      noon - 60_000,
      true,
    );
    expect(started.lastPassAt).toBe(noon - 90_000);
    const again = after(started, [0, { summary: busy }], [100, { ...failing, lastWriteAt: noon }]);
    expect(again.lastPassAt).toBe(noon);
    expect(settle(again, noon + 100 + quietFor).passesSeen).toBe(0);
  });

  it('a HelmRelease passes by two writes, and an edit of its spec is none', () => {
    const passes = { seenBy: 'writes', last: null, total: null } as const;
    const started = begin(observed({ passes, lastWriteAt: noon - 90_000 }), noon - 60_000, true);
    expect(started.lastPassAt).toBe(noon - 90_000);
    const edited = after(started, [0, { passes, generation: 2 }]);
    expect(settle(edited, noon + quietFor).passesSeen).toBe(0);
    expect(edited).toMatchObject({ unobservedSpecSince: noon, specSince: noon });
    const end = { passes, summary: good, lastWriteAt: noon };
    const passed = after(started, [0, { passes, reconciling: true, summary: good }], [30, end]);
    expect(passed.lastPassAt).toBe(noon);
    expect(settle(passed, noon + 30 + quietFor).passesSeen).toBe(1);
  });

  it('one that nothing dates ended when it was heard', () => {
    const undated = { passes: { seenBy: 'writes', last: null, total: null }, lastWriteAt: null } as const;
    const track = after(
      begin(observed(undated), noon - 60_000, true),
      [0, { ...undated, summary: busy }],
      [30, undated],
    );
    expect(track.lastPassAt).toBe(noon + 30);
    expect(settle(track, noon + 30 + quietFor).passesSeen).toBe(1);
  });
});

describe('what a list tells of passes that nobody watched', () => {
  const writes = { seenBy: 'writes', last: null, total: null } as const;

  it('a HelmRelease by the newest write of its status', () => {
    const before = begin(observed({ passes: writes, lastWriteAt: noon - 7_200_000 }), noon - 7_200_000, true);
    expect(after(before, [0, { passes: writes, lastWriteAt: noon - 30_000 }])).toMatchObject({
      lastPassAt: noon - 30_000,
      passesSeen: 0,
    });
  });

  it('a failing Kustomization by the stamp of its Ready', () => {
    const failing = (last: number) =>
      ({
        summary: bad('apply', 'BuildFailed'),
        passes: { seenBy: 'writes', last, total: null },
        lastWriteAt: last,
      }) as const;
    const before = begin(observed(failing(noon - 7_200_000)), noon - 7_200_000, true);
    expect(after(before, [0, failing(noon - 30_000)]).lastPassAt).toBe(noon - 30_000);
  });

  it('and no pass lies in the future, whatever the clock of the cluster says', () => {
    const ahead = { passes: { seenBy: 'history', last: noon + hour, total: 4 } } as const;
    expect(begin(observed(ahead), noon, true).lastPassAt).toBe(noon);
    expect(after(begin(observed(), noon - 60_000, true), [0, ahead]).lastPassAt).toBe(noon);
  });
});

it('what said nothing at its birth and is busy since has never settled: its newest message is what is known of it', () => {
  const born = settle(begin(observed({ summary: { said: 'nothing' } }), noon, false), noon + quietFor);
  expect(born.settled?.observation.summary.said).toBe('nothing');
  const track = after(born, [5_000, { summary: busy }]);
  expect(track).toMatchObject({ settled: null, busySince: noon + 5_000, latest: { summary: busy } });
});

describe('switched off and on again', () => {
  const suspended = { field: 'spec.suspend', by: null, at: null };

  it('the spec counts as not looked at only while somebody should look', () => {
    const passed = { passes: { seenBy: 'history', last: noon - 90_000_000, total: 3 } } as const;
    const off = after(begin(observed(passed), noon - day, true), [
      -80_000_000,
      { ...passed, generation: 2, suspended },
    ]);
    expect(off).toMatchObject({ unobservedSpecSince: null, awakeSince: null });
    const on = receive(off, observed({ ...passed, resourceVersion: '9', generation: 3 }), noon);
    expect(on).toMatchObject({ unobservedSpecSince: noon, awakeSince: noon });
  });

  const passes = (last: number, total: number) => ({ seenBy: 'history', last, total }) as const;

  it.each([
    ['whose second begins before it', noon + 5_000, 4],
    ['in the very second of the pass before it was switched off', noon, 4],
  ])('a pass that ends after it was switched on again counts, %s', (_what, last, total) => {
    const track = after(
      begin(observed({ suspended, passes: passes(noon, 3) }), noon + 100, true),
      [last - noon + 600, { generation: 3, passes: passes(noon, 3) }],
      [last - noon + 900, { generation: 3, passes: passes(last, total) }],
    );
    expect(track).toMatchObject({ lastPassAt: last, awakeSince: last });
  });

  it('a pass that ends after it was switched on again counts, though both are told late', () => {
    const release = { passes: { seenBy: 'writes', last: null, total: null } } as const;
    const off = begin(observed({ ...release, suspended, lastWriteAt: noon - 900_000 }), noon - 800_000, true);
    const on = after(off, [10, { ...release, generation: 3, lastWriteAt: noon - 900_000 }]);
    expect(on).toMatchObject({ awakeSince: noon + 10, lastPassAt: noon - 900_000 });
    const end = { ...release, generation: 3, lastWriteAt: noon - 300_000 };
    const passed = after(on, [11, { ...end, summary: busy }], [12, end]);
    expect(passed).toMatchObject({ awakeSince: noon - 300_000, lastPassAt: noon - 300_000 });
  });

  it('a pass that is told together with that it is on again came after it: nothing passes while it is off', () => {
    const off = begin(observed({ suspended, passes: passes(noon - 60_000, 3) }), noon - 30_000, true);
    const track = after(off, [0, { generation: 3, passes: passes(noon - 10_000, 4) }]);
    expect(track.awakeSince).toBeLessThanOrEqual(track.lastPassAt ?? 0);
    const written = { passes: { seenBy: 'writes', last: null, total: null } } as const;
    const release = begin(observed({ ...written, suspended, lastWriteAt: noon - 60_000 }), noon - 30_000, true);
    const again = after(release, [0, { ...written, lastWriteAt: noon - 10_000 }]);
    expect(again.awakeSince).toBeLessThanOrEqual(again.lastPassAt ?? 0);
  });

  it('a pass that a list tells of, of the very second in which it was switched on again, came after that', () => {
    const release = { passes: { seenBy: 'writes', last: null, total: null } } as const;
    const off = begin(observed({ ...release, suspended, lastWriteAt: noon - 60_000 }), noon - 30_000, true);
    const on = after(off, [200, { ...release, generation: 3, lastWriteAt: noon - 60_000 }]);
    expect(on).toMatchObject({ awakeSince: noon + 200, lastPassAt: noon - 60_000 });
    // It ended at 12:00:00.8 while the stream was broken.
    const listed = after(on, [30_000, { ...release, resourceVersion: '3', generation: 3, lastWriteAt: noon }]);
    expect(listed).toMatchObject({ awakeSince: noon, lastPassAt: noon });
  });

  it('a pass that is given up after it was switched on again is none that has ended since', () => {
    const off = begin(observed({ suspended, passes: passes(noon - 60_000, 3) }), noon - 30_000, true);
    const kept = { generation: 3, passes: passes(noon - 60_000, 3) };
    const track = after(off, [0, kept], [500, { ...kept, summary: busy, lastWriteAt: noon }], [900, kept]);
    expect(track).toMatchObject({ awakeSince: noon, lastPassAt: noon - 60_000 });
  });

  it('a pass that was told before does not come to be since it by being listed again', () => {
    const release = { passes: { seenBy: 'writes', last: null, total: null }, lastWriteAt: noon } as const;
    const off = begin(observed({ ...release, suspended }), noon + 100, true);
    const on = after(off, [200, { ...release, generation: 3 }], [30_000, { ...release, generation: 3 }]);
    expect(on).toMatchObject({ awakeSince: noon + 200, lastPassAt: noon });
  });
});

describe('artifacts', () => {
  it('are offered since they were stored, also before Plumbline looked', () => {
    const stored = {
      type: 'ArtifactInStorage',
      status: 'True',
      reason: 'Succeeded',
      message: '',
      lastTransitionTime: noon - 7_200_000,
      observedGeneration: 1,
    } as const;
    expect(begin(source({ conditions: [stored] }), noon, true).artifactSince).toBe(noon - 7_200_000);
    expect(
      begin(source({ conditions: [{ ...stored, lastTransitionTime: noon + 60_000 }] }), noon, true).artifactSince,
    ).toBe(noon);
  });

  it('remembers since when the present artifact is offered', () => {
    const first = begin(source(), noon - 60_000, true);
    const same = receive(first, source({ resourceVersion: '2' }), noon);
    const other = receive(
      first,
      source({
        resourceVersion: '2',
        revisions: { applied: null, attempted: null, artifact: revisionB, origin: null },
      }),
      noon,
    );
    expect(same.artifactSince).toBe(noon - 60_000);
    expect(other.artifactSince).toBe(noon);
  });
});
