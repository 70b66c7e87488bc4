import { isApplierKind } from '#lib/domain/chain/applier-kinds.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time/time-union.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { awayListsOf, packAway, type AwayListOf } from '../../codec/away-block.ts';
import { noAbsenceEntries, packAbsences } from '../../codec/absence-block.ts';
import { beginningOf, blockOf, packNumbers, dayIndex } from '../../codec/rollup-block.ts';
import { packTotals } from '../../codec/totals-block.ts';
import type { AbsenceVisitor } from '../../record/absences.ts';
import type { AbsenceReader } from '../reading/record/absence-reader.ts';
import type { PieceReader } from '../reading/record/record-pieces.ts';
import type { Scopes } from '../reading/record/record-scope.ts';

const away = verdicts.map(isAway);

/** Readers of what a block is made of. */
interface BlockReaders {
  readonly scopes: Scopes;
  readonly pieces: Pick<PieceReader, 'each'>;
  readonly absences: AbsenceReader;
}

/** Figures of some days of a cluster, all of one block, as they are stored. */
export function rolledBlock({ scopes, pieces, absences }: BlockReaders, cluster: number, period: Period) {
  const scope = { clusters: [cluster], kind: null, namespace: null, name: null, places: null };
  const times = gatherTimes();
  const lists = gatherAway(beginningOf(blockOf(period.from)), (kind) => isApplierKind(scopes.kindOf(kind)));
  pieces.each(scope, period, (object, _cluster, kind, verdict, from, to) => {
    if (away[verdict] === true) lists.add(object, kind, from, to);
    eachDay(from, to, (day, start, end) => times.add(object, kind, verdict, day, end - start));
  });
  const happened = gatherAbsences();
  absences.each(scope, period, happened.visitor);
  return { ...times.packed(), absences: packAbsences(happened.entries), lists: lists.packed() };
}

/** Gathers how long objects of a kind were in which verdict on a day, and how long each object was away. */
function gatherTimes() {
  const shares = new Map<string, number[]>();
  const times = new Map<string, number>();
  return {
    add(object: number, kind: number, verdict: number, day: number, time: number): void {
      const key = `${day} ${kind}`;
      const sums = shares.get(key) ?? [day, kind, ...verdicts.map(() => 0)];
      shares.set(key, sums);
      sums[verdict + 2] = (sums[verdict + 2] ?? 0) + time;
      if (away[verdict] !== true) return;
      const daily = `${day} ${object}`;
      times.set(daily, (times.get(daily) ?? 0) + time);
    },
    packed: () => ({
      totals: packTotals([...shares.values()].map(([day = 0, kind = 0, ...sums]) => ({ day, kind, sums }))),
      shares: packNumbers([...shares.values()].flatMap(packedSums)),
      away: packNumbers([...times].flatMap(([key, time]) => [...key.split(' ').map(Number), time])),
    }),
  };
}

/** Day and kind, which verdicts there are, and how long each. */
function packedSums([day = 0, kind = 0, ...sums]: readonly number[]): readonly number[] {
  const mask = sums.reduce((bits, time, position) => (time > 0 ? bits | (1 << position) : bits), 0);
  return [day, kind, mask, ...sums.filter((time) => time > 0)];
}

/** Gathers what happened to absences. */
function gatherAbsences() {
  const entries = noAbsenceEntries();
  const visitor: AbsenceVisitor<number> = {
    opened(kind, at, toNotice) {
      const list = toNotice === null ? entries.openedAtLeast : entries.opened;
      list.push({ day: dayIndex(dayOf(at)), kind, first: toNotice ?? 0, second: 0 });
    },
    closed(kind, at, toConverge, atLeast) {
      const list = atLeast ? entries.closedAtLeast : entries.closed;
      list.push({ day: dayIndex(dayOf(at)), kind, first: toConverge, second: 0 });
    },
    gone(kind, at) {
      entries.gone.push({ day: dayIndex(dayOf(at)), kind, first: 0, second: 0 });
    },
    away(kind, from, age, length) {
      eachDay(from, from + length, (day, start, end) => {
        const first = age + start - from;
        // Stretches that follow each other count as one does that is as long as both.
        const last = entries.away.at(-1);
        if (last?.day === day && last.kind === kind && last.first + last.second === first) last.second += end - start;
        else entries.away.push({ day, kind, first, second: end - start });
      });
    },
  };
  return { entries, visitor };
}

/** Gathers when anything of a cluster was away, in a block that begins at a time (ms). */
function gatherAway(begins: number, isApplier: (kind: number) => boolean) {
  const unions: { readonly [O in AwayListOf]: Map<number, TimeUnion> } = {
    cluster: new Map(),
    kind: new Map(),
    applier: new Map(),
  };
  function put(of: AwayListOf, id: number, from: number, to: number): void {
    const union = unions[of].get(id) ?? timeUnion();
    unions[of].set(id, union);
    union.add(from - begins, to - begins);
  }
  return {
    add(object: number, kind: number, from: number, to: number): void {
      put('cluster', 0, from, to);
      put('kind', kind, from, to);
      if (isApplier(kind)) put('applier', object, from, to);
    },
    packed: () =>
      packAway(
        awayListsOf.flatMap((of) =>
          [...unions[of]].map(([id, union]) => ({ of, id, stretches: [...union.stretches()] })),
        ),
      ),
  };
}

/** Tells the days of a stretch by their places in its block. */
function eachDay(from: number, to: number, visit: (day: number, from: number, to: number) => void): void {
  for (let start = from; start < to;) {
    const day = dayOf(start);
    const end = Math.min(to, day + dayLength);
    visit(dayIndex(day), start, end);
    start = end;
  }
}
