// What the story's own script holds true of its objects and commits, for a judge of what is said of them. Times in ms.
import type { ObjectRef } from '#lib/domain/ref.ts';
import type { DemoFleet } from '#server/simulator/fleet/demo-fleet.ts';
import type { Told, TrueWord } from '#server/simulator/truth.ts';
import type { TriedLog } from './tried-log.ts';

const away: ReadonlySet<TrueWord> = new Set([
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'behind',
  'waiting',
  'progressing',
]);

/** One fault of one object, as the script has it. */
export interface Fault {
  readonly ref: ObjectRef;
  readonly verdict: TrueWord;
  /** When it began, and when that is known at the latest. */
  readonly from: number;
  readonly knownBy: number;
  /** When it was mended, and when that is known at the latest; Infinity while it lasts. */
  readonly to: number;
  readonly overBy: number;
  /** The commit that broke it; null where none did. */
  readonly culprit: string | null;
  /**
   * The fault before it, from which the object was not home for good when this one began: one incident tells of both. `surely`: no
   * observer could hold it to be home.
   */
  readonly continues: { readonly fault: Fault; readonly surely: boolean } | null;
  /** The script lets an observer call it something that is not away. */
  readonly optional: boolean;
}

/** The judge's own knowledge. */
export interface ScriptTruth {
  readonly faults: readonly Fault[];
  faultsOf(ref: ObjectRef): readonly Fault[];
  /** Whether a word may be said of an object at a moment. */
  mayBe(ref: ObjectRef, word: string, at: number): boolean;
  /** Where a commit stands in the history of the control repository, from 0; null for what is none of it. Any number of digits from 7. */
  placeOf(hash: string): number | null;
  /** The newest commit that there was at a moment. */
  headAt(at: number): number;
}

function faultOf({ ref, statements }: Told, index: number, lookedFrom: number): Fault | null {
  const statement = statements[index];
  if (statement === undefined) return null;
  const words = [statement.verdict, ...(statement.alsoRight ?? [])];
  if (!words.some((word) => away.has(word))) return null;
  if (statement.verdict === 'converged') return null;
  const end = statements.slice(index + 1).find(({ verdict }) => !away.has(verdict));
  return {
    ref,
    verdict: statement.verdict,
    from: statement.from,
    knownBy: Math.max(lookedFrom, statement.from + statement.within),
    to: end?.from ?? Infinity,
    overBy: end === undefined ? Infinity : end.from + end.within,
    culprit: statement.culprit ?? null,
    continues: null,
    optional: words.some((word) => !away.has(word)),
  };
}

/** Home for good is who was converged for so many passes: the pass that mended it may be the first thing that tells of it. */
const passesHome = 2;

/** Ties each fault of an object to the one before it that it was not home from for good. */
function tied(faults: readonly Fault[], tried: TriedLog): readonly Fault[] {
  const found: Fault[] = [];
  for (const fault of faults) {
    const before = found.at(-1);
    const passes = before ? tried.passes(nameOf(fault.ref), before.to, fault.from) : null;
    const continues =
      before && passes !== null && passes <= passesHome ? { fault: before, surely: passes < passesHome } : null;
    found.push({ ...fault, continues });
  }
  return found;
}

/** Reads the script as far as it was played; `lookedFrom` is when somebody had looked at everything for the first time. */
export function scriptTruth({ ledger, repository }: DemoFleet, lookedFrom: number, tried: TriedLog): ScriptTruth {
  const faults = ledger.told().flatMap((told) =>
    tied(
      told.statements.flatMap((_statement, index) => faultOf(told, index, lookedFrom) ?? []),
      tried,
    ),
  );
  const byName = Map.groupBy(faults, ({ ref }) => nameOf(ref));
  const commits = repository.commits();
  return {
    faults,
    faultsOf: (ref) => byName.get(nameOf(ref)) ?? [],
    mayBe(ref, word, at) {
      const expected = ledger.of(ref, at);
      return expected !== null && [expected.verdict, ...expected.alsoRight].some((one) => one === word);
    },
    placeOf(hash) {
      const place = commits.findIndex(({ sha }) => hash.length >= 7 && sha.startsWith(hash));
      return place === -1 ? null : place;
    },
    headAt: (at) => commits.findLastIndex(({ time }) => Math.floor(time / 1000) * 1000 <= at),
  };
}

/** An object as a judge names it. */
export function nameOf({ cluster, group, kind, namespace, name }: ObjectRef): string {
  return [cluster, group, kind, namespace, name].join('/');
}
