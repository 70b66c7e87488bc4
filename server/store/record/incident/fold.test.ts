import { describe, expect, it } from 'vitest';
import { faultOf, faultOfLoss, type Fault } from '#lib/domain/incident/fault.ts';
import { defaultIncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { objectOf } from '#test/contract/store-records.ts';
import { takeNote } from './fault-log.ts';
import { growingIncidents, memoryBook } from './memory-book.ts';
import { noteOfRecord, subjectOfLoss } from './notes.ts';

const controller: Cause = { type: 'controller', cluster: 'a', namespace: 'flux-system', name: 'kustomize-controller' };

function refOf(name: string, cluster = 'a'): ObjectRef {
  return { cluster, group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name };
}

function caused(name: string, cluster = 'a'): Cause {
  return { type: 'object', ref: refOf(name, cluster) };
}

/** Words of an object while it is away. `since`: when its verdict began (min). */
interface Said {
  readonly verdict?: Verdict;
  readonly cause?: Cause | null;
  readonly since?: number;
  readonly cluster?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly range?: CommitRange | null;
}

/** It is not heard of, which says nothing of why; and what turned out to be the cause. */
const silent = { verdict: 'stale', reason: 'NoPass' } as const;
const dead = { verdict: 'stale', reason: 'ControllerDead', cause: controller } as const;
const waitsBehind = { verdict: 'behind', reason: 'Behind', cause: caused('dependency'), since: 0 } as const;

/** A book, and the histories of objects that are written into it. Times in min. */
function history() {
  const rows = growingIncidents();
  const book = memoryBook(rows);
  const ids = new Map<string, number>();
  const opened = new Map<number, number>();

  function idOf(key: string): number {
    const id = ids.get(key) ?? ids.size + 1;
    ids.set(key, id);
    return id;
  }

  const told = {
    /** The absence of an object by its name; another one with a number behind: "app", "app 2". */
    away(at: number, absence: string, said: Said = {}): void {
      const {
        verdict = 'diverged',
        cause = null,
        since = at,
        message = `no such thing ${absence}`,
        range = null,
      } = said;
      const ref = refOf(absence.split(' ')[0] ?? '', said.cluster);
      const id = idOf(`${ref.cluster} ${absence}`);
      opened.set(id, opened.get(id) ?? since * minute);
      rows.subjects.set(id, { ref, cluster: ref.cluster });
      const times = { openedAt: opened.get(id) ?? 0, bound: 'exact' as const, noticedAt: at * minute };
      const known = { id, cluster: idOf(ref.cluster), object: id, absence: { ref, uid: 'one', ...times } };
      const onset = { time: since * minute, bound: 'exact' as const, noticedAt: at * minute };
      const reason = said.reason ?? 'BuildFailed';
      const record = objectOf(ref, { verdict, onset, awaySince: onset, reason, message, rootCause: cause, range });
      const note = noteOfRecord(known, record, at * minute);
      if (note !== null) takeNote(book, book.log, note, defaultIncidentPolicy);
    },
    home(at: number, absence: string, cluster = 'a'): void {
      const subject = { id: idOf(`${cluster} ${absence}`), cluster: idOf(cluster), object: 1 };
      takeNote(book, book.log, { type: 'over', at: at * minute, subject, ended: 'converged' }, defaultIncidentPolicy);
    },
    lost(at: number, cluster: string, objects = 100): void {
      const time = at * minute;
      const subject = subjectOfLoss({ id: idOf(`loss ${cluster}`), cluster: idOf(cluster), objects }, cluster, time);
      rows.subjects.set(subject.id, { ref: null, cluster });
      const fault: Fault = faultOfLoss(cluster, 'unreachable');
      takeNote(
        book,
        book.log,
        { type: 'away', at: time, since: time, subject, fault, planned: false },
        defaultIncidentPolicy,
      );
    },
    seen(at: number, cluster: string): void {
      const subject = { id: -idOf(`loss ${cluster}`), cluster: idOf(cluster), object: 0 };
      takeNote(book, book.log, { type: 'over', at: at * minute, subject, ended: 'seen' }, defaultIncidentPolicy);
    },
  };
  const inMinutes = (time: number | null): number | null => (time === null ? null : time / minute);
  return {
    ...told,
    /** Incidents: from, to, how it ended, returns, members. */
    incidents: () =>
      rows.states
        .filter(({ mergedInto }) => mergedInto === null)
        .map(({ openedAt, closedAt, ended, returns, members }) => [
          ...[inMinutes(openedAt), inMinutes(closedAt), ended],
          ...[returns, members],
        ]),
    /** Members of one, by its place: name, from, to, how it ended. */
    members: (place: number) =>
      rows.members
        .filter(({ incident }) => incident === place)
        .map(({ subject, from, to, ended }) => {
          const name = rows.subjects.get(subject.id)?.ref?.name ?? rows.subjects.get(subject.id)?.cluster;
          return [name, inMinutes(from), inMinutes(to), ended];
        }),
    steps: (place: number) => rows.steps.filter(({ incident }) => incident === place).map(({ type }) => type),
    state: (place: number) => rows.states[place - 1],
    /** Number of times within an incident that are kept. */
    kept: () => rows.members.length,
  };
}

describe('an incident', () => {
  it('opens with the first object away and closes with the last one back', () => {
    const { away, home, incidents, members, steps } = history();
    for (const [at, name] of [
      [1, 'x'],
      [2, 'y'],
    ] as const)
      away(at, name, { verdict: 'stale', cause: controller });
    home(5, 'x');
    expect(incidents()).toEqual([[1, null, null, 0, 2]]);
    home(7, 'y');
    expect(incidents()).toEqual([[1, 7, 'converged', 0, 2]]);
    expect(members(1)).toEqual([
      ['x', 1, 5, 'converged'],
      ['y', 2, 7, 'converged'],
    ]);
    expect(steps(1)).toEqual(['opened', 'grown', 'shrunk', 'closed']);
  });

  it('takes what fails with the same name and error on several clusters for one, and other errors for others', () => {
    const { away, incidents } = history();
    away(1, 'x', { message: 'no such field "a"' });
    away(2, 'x', { cluster: 'b', message: 'no such field "b"' });
    away(3, 'x', { cluster: 'c', message: 'quota exceeded' });
    expect(incidents().map((incident) => incident[4])).toEqual([2, 1]);
  });

  it('takes what fails after the same commit with the same error for one', () => {
    const range = { lastGood: '1', firstBad: '2', seenBetween: 0, watched: true };
    const { away, incidents } = history();
    away(1, 'x', { message: 'quota exceeded', range });
    away(2, 'y', { message: 'quota exceeded', range });
    away(3, 'z', { message: 'quota exceeded', range: { ...range, lastGood: '7', firstBad: '8' } });
    expect(incidents().map((incident) => incident[4])).toEqual([2, 1]);
  });

  it('goes on where its cause comes back within the quiet time, which is counted once', () => {
    const { away, home, incidents } = history();
    const beneath = { verdict: 'stale', cause: controller } as const;
    for (const name of ['x', 'y']) away(1, name, beneath);
    for (const name of ['x', 'y']) home(3, name);
    for (const name of ['x 2', 'y 2']) away(13, name, beneath);
    for (const name of ['x 2', 'y 2']) home(14, name);
    expect(incidents()).toEqual([[1, 14, 'converged', 1, 4]]);
    away(25, 'x 3', beneath);
    expect(incidents()).toEqual([
      [1, 14, 'converged', 1, 4],
      [25, null, null, 0, 1],
    ]);
  });

  it('is not returned to by an absence that goes on after all', () => {
    const { away, home, incidents, members } = history();
    away(0, 'x');
    home(2, 'x');
    away(4, 'x', { since: 3 });
    expect(incidents()).toEqual([[0, null, null, 0, 2]]);
    expect(members(1)).toEqual([
      ['x', 0, 2, 'converged'],
      ['x', 3, null, null],
    ]);
  });

  it('is changed where the same member fails worse', () => {
    const { away, steps, state } = history();
    away(1, 'x', { verdict: 'behind' });
    away(2, 'x', { verdict: 'diverged' });
    expect([steps(1), state(1)?.worst]).toEqual([['opened', 'changed'], 'diverged']);
  });
});

describe('what makes no incident', () => {
  it('waits alone', () => {
    const { away, incidents } = history();
    away(1, 'x', { verdict: 'waiting', cause: caused('y') });
    away(1, 'z', { verdict: 'progressing' });
    expect(incidents()).toEqual([]);
  });

  it('is in that of its cause from when that opens', () => {
    const { away, members } = history();
    away(1, 'x', { verdict: 'waiting', cause: caused('y') });
    away(3, 'y');
    away(4, 'z', { verdict: 'waiting', cause: caused('y') });
    expect(members(1)).toEqual([
      ['y', 3, null, null],
      ['x', 3, null, null],
      ['z', 4, null, null],
    ]);
  });

  it('stays in its incident until it is home, though it only waits for something else meanwhile', () => {
    const { away, home, incidents } = history();
    away(1, 'x');
    away(3, 'x', { verdict: 'waiting', cause: caused('elsewhere') });
    expect(incidents()).toEqual([[1, null, null, 0, 1]]);
    home(5, 'x');
    expect(incidents()).toEqual([[1, 5, 'converged', 0, 1]]);
    away(9, 'x 2');
    expect(incidents()).toEqual([[1, null, null, 1, 2]]);
  });

  it.each(['first', 'last'])('leaves for the incident of what it waits for, which opens %s', (order) => {
    const { away, incidents, members } = history();
    for (const name of ['x', 'y']) away(1, name, { verdict: 'stale', cause: controller });
    const waits = (): void => away(5, 'x', { verdict: 'waiting', cause: caused('y') });
    if (order === 'last') waits();
    away(5, 'y');
    if (order === 'first') waits();
    expect(members(1)).toEqual([
      ['x', 1, 5, 'moved'],
      ['y', 1, 5, 'moved'],
    ]);
    expect(incidents()).toEqual([
      [1, 5, 'moved', 0, 2],
      [5, null, null, 0, 2],
    ]);
  });

  it('is switched off on purpose, and in the same incident again once it is on and still away', () => {
    const { away, home, incidents, members } = history();
    away(1, 'x');
    away(3, 'x', { verdict: 'suspended' });
    expect(incidents()).toEqual([[1, 3, 'suspended', 0, 1]]);
    away(90, 'x');
    expect(members(1)).toEqual([
      ['x', 1, 3, 'suspended'],
      ['x', 90, null, null],
    ]);
    away(95, 'x', { verdict: 'suspended' });
    home(99, 'x');
    expect(incidents()).toEqual([[1, 95, 'suspended', 0, 2]]);
  });

  it('stays in its incident where what it waits for is in that', () => {
    const { away, members } = history();
    away(1, 'x', { verdict: 'stale', cause: controller });
    away(2, 'x', { verdict: 'waiting', cause: controller });
    away(3, 'y');
    away(4, 'y', { verdict: 'progressing' });
    expect([members(1), members(2)]).toEqual([[['x', 1, null, null]], [['y', 3, null, null]]]);
  });
});

describe('what is known only later', () => {
  it('is the cause of all that is in it: it keeps its id', () => {
    const { away, incidents, steps, state } = history();
    away(1, 'x', silent);
    const id = state(1)?.id;
    away(3, 'x', { ...dead, since: 1 });
    away(3, 'y', dead);
    expect(incidents()).toEqual([[1, null, null, 0, 2]]);
    expect(steps(1)).toEqual(['opened', 'recognised', 'grown']);
    expect([state(1)?.id, state(1)?.cause]).toEqual([id, controller]);
  });

  it('is that many are one, one after the other: no more is written than they are, and the first of them dates it', () => {
    const { away, incidents, kept, state } = history();
    const pairs = 1_000;
    const range = (lastGood: string, firstBad: string): CommitRange => ({
      lastGood,
      firstBad,
      seenBetween: null,
      watched: false,
    });
    const message = 'it cannot be applied';
    for (let pair = 0; pair < pairs; pair += 1)
      away(pair, `one-${pair}`, { message, range: range(`a${pair}`, `b${pair}`) });
    // Each is of a pair with the one that came last, and of all those that came before.
    for (let pair = pairs - 1; pair >= 0; pair -= 1)
      away(pairs, `other-${pair}`, { message, range: range('a', `b${pair}`) });
    expect(incidents()).toEqual([[0, null, null, 0, 2 * pairs]]);
    expect(kept()).toBeLessThan(20 * pairs);
    let living = state(1);
    while (living?.mergedInto) living = state(living.mergedInto);
    expect([living?.openedAt, living?.cause]).toEqual([0, caused('one-0')]);
  });

  it('is that two are one: the older lives on', () => {
    const { away, incidents, steps, state } = history();
    away(1, 'x', silent);
    away(2, 'y', silent);
    for (const name of ['x', 'y']) away(3, name, { ...dead, since: 1 });
    expect(incidents()).toEqual([[1, null, null, 0, 2]]);
    expect([steps(1), steps(2)]).toEqual([
      ['opened', 'recognised', 'grown'],
      ['opened', 'merged'],
    ]);
    expect([state(2)?.mergedInto, state(1)?.open, state(2)?.open]).toEqual([1, 2, 0]);
  });

  const message = 'quota exceeded';
  const between = (lastGood: string, firstBad: string): CommitRange => ({
    ...{ lastGood, firstBad, seenBetween: 0, watched: true },
  });

  it.each([
    ['the older lives on where the younger is not much larger', 64, 1],
    ['a younger lives on that is much larger', 65, 2],
  ])('is that two are one: %s', (_, count, living) => {
    const { away, members, state, steps } = history();
    away(1, 'x', { message, range: between('a', 'b') });
    for (let n = 0; n < count; n += 1) away(2, `y${n}`, { message, range: between(`c${n}`, 'd') });
    const gone = 3 - living;
    const ids = [state(1)?.id, state(2)?.id];
    away(3, 'z', { message, range: between('a', 'd') });
    expect(state(gone)).toMatchObject({ id: ids[gone - 1], mergedInto: living, open: 0 });
    expect(state(living)).toMatchObject({
      ...{ id: ids[living - 1], mergedInto: null, open: count + 2, objects: count + 2, members: count + 2 },
      ...{ openedAt: minute, noticedAt: minute, clusters: 1, returns: 0 },
    });
    expect(steps(gone).at(-1)).toBe('merged');
    expect(members(living)).toHaveLength(count + 2);
    expect(members(gone).every(([, , , ended]) => ended === 'moved')).toBe(true);
  });

  it('is that each of many joins one to all that were joined before: they are handed over a few times each', () => {
    const { away, incidents, members } = history();
    const count = 400;
    // Each begins after the same commit as the one before, or ends with the same.
    const link = (at: number, n: number): void =>
      away(at, `x${n}`, { message, range: between(`a${Math.ceil(n / 2)}`, `b${Math.floor(n / 2)}`) });
    for (let n = 0; n < count; n += 1) link(1, 2 * n);
    for (let n = count - 2; n >= 0; n -= 1) link(2, 2 * n + 1);
    expect(incidents()).toEqual([[1, null, null, 0, 2 * count - 1]]);
    const all = Array.from({ length: count }, (_, place) => members(place + 1).length).reduce((sum, one) => sum + one);
    expect(all / count).toBeLessThan(20);
  });

  it('is that one is two: a member leaves with what lies beneath it', () => {
    const { away, incidents, members } = history();
    for (const name of ['x', 'y', 'z']) away(1, name, { verdict: 'stale', cause: controller });
    away(1, 'w', { verdict: 'waiting', cause: controller });
    away(5, 'x', { since: 4 });
    away(6, 'w', { verdict: 'waiting', cause: caused('x') });
    expect(incidents().map((incident) => incident[4])).toEqual([4, 2]);
    expect(members(1).filter(([, , , ended]) => ended === 'moved')).toEqual([
      ['x', 1, 4, 'moved'],
      ['w', 1, 6, 'moved'],
    ]);
    expect(members(2)).toEqual([
      ['x', 4, null, null],
      ['w', 6, null, null],
    ]);
  });

  it('moves a member from when that was noticed where its verdict goes on', () => {
    const { away, members } = history();
    for (const name of ['x', 'y']) away(1, name, { verdict: 'stale', cause: controller });
    const source: Cause = { ...controller, name: 'source-controller' };
    away(5, 'x', { verdict: 'stale', cause: source, since: 1 });
    expect([members(1)[0], members(2)[0]]).toEqual([
      ['x', 1, 5, 'moved'],
      ['x', 5, null, null],
    ]);
  });

  it('is no other cause of what failed before it by itself: that moves into the incident of the new fault', () => {
    const { away, incidents, members } = history();
    away(0, 'x');
    away(12, 'x', { verdict: 'stale', cause: controller, since: 11 });
    away(12, 'y', { verdict: 'stale', cause: controller, since: 11 });
    expect(incidents()).toEqual([
      [0, 11, 'moved', 0, 1],
      [11, null, null, 0, 2],
    ]);
    expect(members(2)).toEqual([
      ['x', 11, null, null],
      ['y', 11, null, null],
    ]);
  });

  it('is the cause of what was only behind and silent before it was known', () => {
    const { away, incidents, members, steps } = history();
    away(2, 'x', { verdict: 'behind', reason: 'Behind', since: 0 });
    away(4, 'x', silent);
    away(5, 'x', { ...dead, since: 4 });
    away(5, 'y', dead);
    expect(incidents()).toEqual([[0, null, null, 0, 2]]);
    expect([members(1).length, steps(1).includes('recognised')]).toEqual([2, true]);
  });

  it.each<readonly [string, Said, Said, number]>([
    ['could not be compared', { verdict: 'stale', reason: 'ComparisonError' }, { ...dead, since: 0 }, 12],
    ['was behind by itself', { verdict: 'behind', reason: 'Behind' }, { ...dead, since: 11 }, 11],
    ['was behind by itself, and another holds it up now', { verdict: 'behind', reason: 'Behind' }, waitsBehind, 12],
    ['had drifted', { verdict: 'drifted', reason: 'DriftDetected' }, { ...dead, since: 11 }, 11],
    [
      'failed, as a part of it does now',
      { reason: 'SyncFailed' },
      { cause: caused('part'), reason: 'PartNotConverged', since: 0 },
      12,
    ],
    ['failed, in words of a moment before it was noticed', { reason: 'SyncFailed' }, { ...dead, since: 0 }, 0],
  ])('does not date the fault of another: it %s', (_, own, found, from) => {
    const { away, incidents, members, steps, state } = history();
    away(0, 'x', own);
    away(12, 'x', found);
    expect(incidents()).toEqual([
      [0, from, 'moved', 0, 1],
      [from, null, null, 0, 1],
    ]);
    expect([steps(1), members(2), state(2)?.cause]).toEqual([
      ['opened', 'closed'],
      [['x', from, null, null]],
      found.cause,
    ]);
  });

  it('does not date a controller whose objects failed by themselves before they were silent', () => {
    const { away, incidents } = history();
    away(0, 'x');
    away(10, 'x', silent);
    away(12, 'x', { ...dead, since: 10 });
    expect(incidents()).toEqual([
      [0, 10, 'moved', 0, 1],
      [10, null, null, 0, 1],
    ]);
  });

  it.each(['moved', 'converged'])('does not date an error of one cluster by another, whose object has %s', (ended) => {
    const { away, home, incidents } = history();
    const fails = { verdict: 'diverged', reason: 'ReconcileError', message: 'denied' } as const;
    const shared = (cluster: string, since: number): Said => {
      const cause = {
        type: 'shared-error',
        cluster,
        providerConfig: refOf('default', cluster),
        message: 'denied',
      } as const;
      return { ...fails, cluster, since, cause };
    };
    away(0, 'x', { ...fails, cluster: 'b' });
    away(5, 'x', fails);
    if (ended === 'moved') away(7, 'x', shared('b', 0));
    else home(7, 'x', 'b');
    away(8, 'x', shared('a', 5));
    expect(incidents()).toEqual([
      [0, ended === 'moved' ? 5 : 7, ended, 0, 2],
      ...(ended === 'moved' ? [[0, null, null, 0, 1]] : []),
      [5, null, null, 0, 1],
    ]);
  });

  it.each(['noticed first', 'noticed later'])(
    'is no fault of another for what lay beneath one that is home: %s',
    (order) => {
      const { away, home, incidents, members } = history();
      const beneath = { verdict: 'unhealthy', reason: 'PartNotConverged' } as const;
      away(0, 'a', { verdict: 'unhealthy', reason: 'Unavailable' });
      away(0, 'made of both', { ...beneath, cause: caused('a') });
      if (order === 'noticed first') away(9, 'b', { verdict: 'unhealthy', reason: 'Unavailable' });
      home(10, 'a');
      away(10, 'made of both', { ...beneath, cause: caused('b'), since: 0 });
      if (order === 'noticed later') away(10, 'b', { verdict: 'unhealthy', reason: 'Unavailable', since: 9 });
      expect(incidents()).toEqual([
        [0, 10, 'converged', 0, 2],
        [9, null, null, 0, 2],
      ]);
      expect(members(1)).toEqual([
        ['a', 0, 10, 'converged'],
        ['made', 0, 10, 'moved'],
      ]);
    },
  );

  it('dates a cause by those that it took itself, and says "at least" where no more is known', () => {
    const { away, incidents, state } = history();
    away(0, 'x', { verdict: 'stale', reason: 'ComparisonError' });
    away(12, 'x', { ...dead, since: 0 });
    expect([incidents()[1]?.[0], state(2)?.bound]).toEqual([12, 'at-least']);
    away(12, 'y', { ...dead, since: 11 });
    expect([incidents()[1]?.[0], state(2)?.bound]).toEqual([11, 'exact']);
    const again = history();
    again.away(0, 'x', { verdict: 'stale', reason: 'ComparisonError' });
    for (const [name, since] of [
      ['x', 0],
      ['y', 12],
    ] as const)
      again.away(12, name, { ...dead, since });
    expect([again.incidents()[1]?.[0], again.state(2)?.bound]).toEqual([12, 'exact']);
  });

  it('goes on as its own once the controller is back that had died meanwhile', () => {
    const { away, home, incidents } = history();
    const fails = { verdict: 'stale', reason: 'ComparisonError', since: 0 } as const;
    away(0, 'x', fails);
    for (const [name, since] of [
      ['x', 0],
      ['y', 12],
    ] as const)
      away(12, name, { ...dead, since });
    home(15, 'y');
    away(15, 'x', fails);
    expect(incidents()).toEqual([
      [0, null, null, 0, 2],
      [12, 15, 'converged', 0, 2],
    ]);
  });

  it('of a controller is not one with that of another which is what is left of it', () => {
    const { away, home, incidents } = history();
    const source: Cause = { ...controller, name: 'source-controller' };
    away(1, 'source', { verdict: 'stale', cause: source });
    for (const name of ['x', 'y']) away(1, name, { verdict: 'stale', cause: controller });
    for (const name of ['x', 'y']) away(5, name, { verdict: 'stale', cause: source, since: 1 });
    for (const name of ['source', 'x', 'y']) home(6, name);
    away(9, 'x 2', { verdict: 'stale', cause: controller });
    expect(incidents()).toEqual([
      [1, 6, 'converged', 0, 3],
      [1, null, null, 1, 3],
    ]);
  });

  it('goes on where the fault that it was left for is over and its own is back', () => {
    const { away, home, incidents } = history();
    away(0, 'x');
    away(4, 'x', { verdict: 'stale', cause: controller });
    away(4, 'y', { verdict: 'stale', cause: controller });
    away(8, 'x');
    for (const name of ['x', 'y']) home(9, name);
    expect(incidents()).toEqual([
      [0, 9, 'converged', 0, 2],
      [4, 9, 'converged', 0, 2],
    ]);
  });

  it('is not that a member is behind by itself before it is home', () => {
    const { away, home, incidents } = history();
    for (const name of ['x', 'y']) away(1, name, { verdict: 'stale', cause: controller });
    for (const name of ['x', 'y']) away(5, name, { verdict: 'behind' });
    for (const name of ['x', 'y']) home(6, name);
    expect(incidents()).toEqual([[1, 6, 'converged', 0, 2]]);
  });

  it('is not that a member waits its turn before it is home', () => {
    const { away, home, incidents, members } = history();
    for (const name of ['x', 'y']) away(1, name, { verdict: 'stale', cause: controller });
    home(4, 'x');
    away(4, 'y', { verdict: 'waiting', cause: caused('x') });
    expect(members(1)[1]).toEqual(['y', 1, null, null]);
    home(5, 'y');
    expect(incidents()).toEqual([[1, 5, 'converged', 0, 2]]);
  });

  it.each([
    ['waiting', caused('elsewhere')],
    ['progressing', null],
  ] as const)('leaves what was %s before its cause failed, and is again', (verdict, cause) => {
    const { away, home, incidents, members } = history();
    away(0, 'waits', { verdict, cause });
    for (const name of ['x', 'waits']) away(2, name, { verdict: 'stale', cause: controller });
    home(5, 'x');
    away(6, 'waits', { verdict, cause });
    expect(members(1)).toEqual([
      ['x', 2, 5, 'converged'],
      ['waits', 2, 6, 'moved'],
    ]);
    expect(incidents()).toEqual([[2, 6, 'converged', 0, 2]]);
    away(9, 'waits', { verdict: 'stale', cause: controller });
    expect(incidents()).toEqual([[2, null, null, 0, 3]]);
  });

  it('ends as moved where all moved', () => {
    const { away, incidents } = history();
    const waits = { verdict: 'waiting', cause: caused('elsewhere') } as const;
    for (const name of ['x', 'y']) away(0, name, waits);
    for (const name of ['x', 'y']) away(2, name, { verdict: 'stale', cause: controller });
    for (const name of ['x', 'y']) away(4, name, waits);
    expect(incidents()).toEqual([[2, 4, 'moved', 0, 2]]);
  });

  it('does not come apart as too few are left to tell its cause by', () => {
    const { away, home, incidents, steps } = history();
    const config = refOf('default');
    const shared: Cause = { type: 'shared-error', cluster: 'a', providerConfig: config, message: 'denied' };
    const fails = { verdict: 'stale', reason: 'ReconcileError', since: 1 } as const;
    for (const name of ['x', 'y', 'z']) away(2, name, { ...fails, cause: shared });
    away(2, 'beneath', { ...fails, cause: shared });
    for (const name of ['y', 'z']) home(4, name);
    away(5, 'x', fails);
    away(5, 'beneath', { ...fails, cause: caused('x') });
    expect(incidents()).toEqual([[1, null, null, 0, 4]]);
    for (const name of ['x', 'beneath']) home(6, name);
    expect(incidents()).toEqual([[1, 6, 'converged', 0, 4]]);
    expect(steps(1)).toEqual(['opened', 'grown', 'shrunk', 'shrunk', 'closed']);
  });
});

describe('clusters that are lost', () => {
  it('at once are one incident, with the objects that were known of them', () => {
    const { lost, seen, incidents, state } = history();
    for (const [index, cluster] of ['a', 'b', 'c'].entries()) lost(index / 2, cluster);
    expect([state(1)?.objects, state(1)?.mostClusters]).toEqual([300, 3]);
    for (const cluster of ['a', 'b', 'c']) seen(5, cluster);
    expect(incidents()).toEqual([[0, 5, 'seen', 0, 3]]);
  });

  it('one after the other are one each', () => {
    const { lost, incidents } = history();
    lost(0, 'a');
    lost(2, 'b');
    expect(incidents().map((incident) => incident[4])).toEqual([1, 1]);
  });

  it.each([0.5, 1, 2])('one that comes and goes each %d min while another is lost draws no third into that', (each) => {
    const { lost, seen, incidents } = history();
    lost(0, 'a');
    for (let at = 0.5; at < 200; at += each) {
      lost(at, 'flapping');
      seen(at + each / 2, 'flapping');
      if (at === 100.5) lost(at + each / 2, 'b');
    }
    lost(201, 'c');
    expect(incidents().map(([from]) => from)).toEqual([0, 100.5 + each / 2, 201]);
  });

  it('at once again, where they came back, are one again with what is lost with them now', () => {
    const { lost, seen, incidents } = history();
    for (const cluster of ['a', 'b']) lost(0, cluster);
    for (const cluster of ['a', 'b']) seen(1, cluster);
    for (const cluster of ['a', 'c', 'b']) lost(3, cluster);
    expect(incidents().map((incident) => [incident[0], incident[4]])).toEqual([[0, 5]]);
  });
});

it('tells an own fault by its own keys, and one beneath a cause by that alone', () => {
  const { rootCause, ...own } = objectOf(refOf('x'), { verdict: 'diverged' });
  expect(faultOf({ ...own, rootCause }).keys).toHaveLength(2);
  expect(faultOf({ ...own, rootCause: controller }).keys).toHaveLength(1);
});
