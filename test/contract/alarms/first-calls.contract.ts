import { describe, expect, it } from 'vitest';
import { calledHows, type OverdueAbsences } from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Bench } from '../store-bench.ts';
import { noon, objectOf, refOf, transitionOf, withDetails } from '../store-records.ts';
import { alarmBatchOf, alarmLease, callOf, coverageOf } from './alarm-records.ts';

const ref = refOf('eu', 1);
const controller: Cause = { type: 'controller', cluster: 'eu', namespace: 'flux-system', name: 'kustomize-controller' };
const ofController: AlarmCall['labels'] = { namespace: 'flux-system', deployment: 'kustomize-controller' };
const ofNobody: AlarmCall['labels'] = { severity: 'page' };

/** All of it in minutes after an object left git. It comes back after 60; its alarm is due after 15. */
interface Told {
  /** When Plumbline knew of it, and of its cause. */
  readonly noticed?: number;
  readonly waits?: boolean;
  /** Times in which the source could not be read. */
  readonly unread?: readonly (readonly [from: number, to: number])[];
  readonly calls?: readonly (readonly [from: number, to: number, labels?: AlarmCall['labels']])[];
  /** When it is asked. */
  readonly asked?: number;
}

/** The answers about it. */
interface Said {
  readonly standing: keyof OverdueAbsences;
  readonly toCall: number | 'at most' | null;
  /** Of its incident: from leaving git to the first call, and to when that could not be known. */
  readonly first: readonly [after: number, unknownAfter: number | null] | null;
}

const never: Said = { standing: 'never', toCall: null, first: null };
const unknown: Said = { standing: 'unknown', toCall: null, first: null };

const cases: readonly (readonly [string, Told, Said])[] = [
  ['nobody was called', {}, never],
  ['in time', { calls: [[5, 60]] }, { standing: 'inTime', toCall: 5, first: [5, null] }],
  ['late', { calls: [[20, 60]] }, { standing: 'late', toCall: 20, first: [20, null] }],
  ['at the deadline', { calls: [[15, 60]] }, { standing: 'late', toCall: 15, first: [15, null] }],
  ['not known before the deadline, and never after it', { unread: [[5, 10]] }, unknown],
  ['not known after the deadline', { unread: [[40, 41]] }, unknown],
  [
    'not known before it began, and after it ended',
    {
      unread: [
        [-5, 0],
        [60, 70],
      ],
    },
    never,
  ],
  [
    'seen once the source can be read again, after the deadline',
    { unread: [[5, 20]], calls: [[20, 60]] },
    { standing: 'unknown', toCall: 'at most', first: [20, 5] },
  ],
  [
    'late, and somebody may have been called before the deadline',
    { unread: [[5, 10]], calls: [[20, 60]] },
    { standing: 'unknown', toCall: 'at most', first: [20, 5] },
  ],
  [
    'late for sure, and perhaps called sooner',
    { unread: [[15, 20]], calls: [[20, 60]] },
    { standing: 'late', toCall: 'at most', first: [20, 15] },
  ],
  [
    'in time, and perhaps called sooner',
    { unread: [[5, 10]], calls: [[10, 60]] },
    { standing: 'inTime', toCall: 'at most', first: [10, 5] },
  ],
  [
    'late, and not known only before it began and after the call',
    {
      unread: [
        [-5, 0],
        [25, 30],
      ],
      calls: [[20, 60]],
    },
    { standing: 'late', toCall: 20, first: [20, null] },
  ],
  [
    'called already as it began, out of the unknown',
    { unread: [[-5, -1]], calls: [[-1, 60]] },
    { standing: 'inTime', toCall: 0, first: [0, null] },
  ],
  [
    'called while the source could not be read',
    { unread: [[1, 30]], calls: [[-1, 60]] },
    { standing: 'inTime', toCall: 0, first: [0, null] },
  ],
  [
    'late, after a call that may have been for it',
    {
      calls: [
        [5, 8, ofNobody],
        [20, 60],
      ],
    },
    { standing: 'unknown', toCall: 'at most', first: [20, 5] },
  ],
  [
    'unread before it was noticed',
    { noticed: 30, unread: [[5, 10]], calls: [[40, 60]] },
    { standing: 'unknown', toCall: 'at most', first: [40, 5] },
  ],
  [
    'late by what it waits for, which was called for only then',
    { waits: true, calls: [[20, 60, ofController]] },
    { standing: 'late', toCall: 20, first: [20, null] },
  ],
  [
    'by what it waits for, called before it was known to wait',
    { waits: true, noticed: 30, calls: [[5, 60, ofController]] },
    { standing: 'unknown', toCall: 'at most', first: [30, 5] },
  ],
  [
    'what it waits for was called for, and no more once it was known to wait',
    { waits: true, noticed: 30, calls: [[5, 20, ofController]] },
    unknown,
  ],
  ['what it does not wait for was called for', { noticed: 30, calls: [[5, 20, ofController]] }, never],
  ['unread after the time that is asked for', { unread: [[40, 50]], asked: 40 }, never],
  ['not yet called by the time that is asked for', { calls: [[40, 60]], asked: 39 }, never],
];

/** Cases of what is said of the first call for an absence, where it could not be known all the time who was called. */
export function describeFirstCalls(bench: Bench): void {
  const at = (minutes: number): number => noon + minutes * minute;

  async function writeObject({ noticed = 1, waits = false }: Told): Promise<void> {
    const lease = await bench.lease('eu');
    const seen = { cluster: 'eu', kind: null, observed: true, state: 'live', reason: null } as const;
    const well = { time: at(-30), bound: 'exact', noticedAt: at(-30) } as const;
    const gone = { time: at(0), bound: 'exact', noticedAt: at(noticed) } as const;
    const back = { time: at(60), bound: 'exact', noticedAt: at(60) } as const;
    const rootCause = waits ? controller : null;
    const verdict = 'diverged';
    const uid = 'one';
    for (const [object, transition, coverage] of [
      [objectOf(ref, { uid, onset: well }), { from: null, to: 'converged' }, [{ ...seen, at: at(-30) }]],
      [objectOf(ref, { uid, verdict, onset: gone, awaySince: gone, rootCause }), { to: verdict, rootCause }, []],
      [objectOf(ref, { uid, onset: back }), { from: verdict, to: 'converged' }, []],
    ] as const)
      await bench.write(lease, {
        at: object.onset.noticedAt,
        objects: withDetails([object]),
        transitions: [transitionOf(ref, object.onset.time, { uid, noticedAt: object.onset.noticedAt, ...transition })],
        coverage,
      });
  }

  async function writeCalls({ unread = [], calls = [] }: Told): Promise<void> {
    const coverage = unread.flatMap(([from, to]) => [
      coverageOf('prom', from * minute, false),
      coverageOf('prom', to * minute, true),
    ]);
    await bench.writer.writeAlarms(
      await alarmLease(bench.writer, 'prom'),
      alarmBatchOf({
        coverage: [coverageOf('prom', -30 * minute, true), ...coverage],
        calls: calls.map(([from, to, labels], place) =>
          callOf('prom', 1, from * minute, {
            key: `call ${place}`,
            to: at(to),
            ...(labels === undefined ? {} : { labels, readsObjects: labels === ofNobody }),
          }),
        ),
      }),
    );
  }

  /** All that is said of the absence, and of its incident, up to a moment. */
  async function said(now: number): Promise<object> {
    const { record } = bench.reader;
    const [period, alarmWithin] = [{ from: at(-30), to: now }, 15 * minute];
    const { overdue, toCall, toCallAtMost } = await record.alarmFigures({ clusters: null }, period, alarmWithin);
    const lists = await Promise.all(
      calledHows.map(async (called) => {
        const asked = { alarmWithin, called: [called], order: 'newest', cursor: null, limit: 9 } as const;
        return (await record.absencesCalled({ clusters: null }, period, asked)).items.length;
      }),
    );
    const question = { scope: { clusters: null }, period, at: now, order: 'newest' } as const;
    const { items } = await record.incidents(question, { cursor: null, limit: 9 });
    const calls = await record.incidentCalls(
      items.map(({ id }) => id),
      now,
    );
    const firsts = [...calls.values()].map((one) => one?.first ?? null);
    return {
      ...{ overdue, toCall: [...toCall], toCallAtMost, lists },
      firsts: firsts.map((first) => first && { after: first.after, unknownAfter: first.unknownAfter }),
    };
  }

  describe('the first call for an absence', () => {
    it.each(cases)('%s', async (_, told, { standing, toCall, first }) => {
      await writeObject(told);
      await writeCalls(told);
      const none = { inTime: 0, late: 0, never: 0, unknown: 0 };
      const counts = { ...none, [standing]: 1 };
      expect(await said(at(told.asked ?? 90))).toEqual({
        overdue: counts,
        toCall: typeof toCall === 'number' ? [toCall * minute] : [],
        toCallAtMost: toCall === 'at most' ? 1 : 0,
        lists: [counts.inTime, counts.late, counts.never, counts.unknown],
        firsts: [first && { after: first[0] * minute, unknownAfter: first[1] === null ? null : first[1] * minute }],
      });
    });
  });
}
