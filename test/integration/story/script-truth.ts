// What the story's own script holds true of its objects and commits, for a judge of what is said of them. Times in ms.
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { DemoFleet } from '#server/simulator/fleet/demo-fleet.ts';
import type { Expected, StatedLoss, StatedObject, TrueCause, TrueSummary } from '#server/simulator/truth.ts';
import { nameOf, type Judged } from './judged.ts';
import type { TriedLog } from './tried-log.ts';

const away: ReadonlySet<TrueSummary> = new Set([
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'behind',
  'waiting',
  'progressing',
]);

const patient: ReadonlySet<TrueSummary> = new Set(['waiting', 'progressing']);

/** One fault of one object, as the script has it. */
export interface Fault {
  readonly ref: ObjectRef;
  readonly verdict: TrueSummary;
  /** When it began, and when that is known at the latest. */
  readonly from: number;
  readonly knownBy: number;
  /** When it was mended, and when that is known at the latest; Infinity while it lasts. */
  readonly to: number;
  readonly overBy: number;
  /** The commit that broke it; null where none did. */
  readonly culprit: string | null;
  /** The cause; of several nobody can tell which it is. */
  readonly causes: readonly [TrueCause, ...TrueCause[]];
  /**
   * The fault before it, from which the object was not home for good when this one began: one absence tells of both. `surely`: no
   * observer could hold it to be home.
   */
  readonly continues: { readonly fault: Fault; readonly surely: boolean } | null;
  /** The script lets an observer call it something that is not away. */
  readonly optional: boolean;
  /** It lets an observer say that it only waits, or has not settled yet: then it makes no incident by itself. */
  readonly patient: boolean;
}

/** The judge's own knowledge. */
export interface ScriptTruth {
  /** Counts what it is asked about. */
  readonly judged: Judged;
  /** When everything had been looked at for the first time. */
  readonly observedFrom: number;
  /** The names of all clusters. */
  readonly clusters: readonly string[];
  /** The names of all Kustomizations, as `nameOf` gives them. */
  readonly kustomizations: readonly string[];
  /** Number of HelmReleases that a Kustomization delivers: they run what it runs. */
  releasesOf(kustomization: string): number;
  /** The first moment at which the Argo CD of a cluster could read a commit; null of a cluster without one. */
  argoReads(cluster: string, commit: string): number | null;
  /** Number of appliers of other kinds on a cluster. */
  otherAppliers(cluster: string): number;
  /** Since when a cluster is lost at a moment; null where it is not. */
  lostSince(cluster: string, at: number): number | null;
  /** Every time in which a cluster was lost. */
  readonly losses: readonly StatedLoss[];
  /** True if a cluster was regained only just before, or is to be known as lost only soon. */
  mayBeUnseen(cluster: string, at: number): boolean;
  readonly faults: readonly Fault[];
  faultsOf(ref: ObjectRef): readonly Fault[];
  /** True if an object itself says at a moment that it waits for a dependency. */
  saysItWaits(ref: ObjectRef, at: number): boolean;
  /** True if a word may be said of an object at a moment. */
  mayBe(ref: ObjectRef, word: string, at: number): boolean;
  /** True if no other word may be said of an object at a moment. */
  isOnly(ref: ObjectRef, word: string, at: number): boolean;
  /** Tells if an object was suspended or resumed from one moment to another; null for neither. */
  suspendedWithin(ref: ObjectRef, from: number, to: number): 'suspended' | 'resumed' | null;
  /** Number of objects suspended, and number resumed, from one moment to another. */
  switchedWithin(from: number, to: number): { readonly suspended: number; readonly resumed: number };
  /** Where a commit stands in the history of the control repository, from 0; null for what is none of it. Any number of digits from 7. */
  placeOf(hash: string): number | null;
  /** The newest commit that there was at a moment. */
  headAt(at: number): number;
}

function faultOf({ ref, statements }: StatedObject, index: number, observedFrom: number): Fault | null {
  const statement = statements[index];
  if (statement === undefined) return null;
  const words = [statement.verdict, ...(statement.alsoRight ?? [])];
  if (!words.some((word) => away.has(word))) return null;
  if (statement.verdict === 'converged') return null;
  const own: TrueCause = { type: 'object', kind: ref.kind, name: ref.name, cluster: ref.cluster };
  const end = statements.slice(index + 1).find(({ verdict }) => !away.has(verdict));
  return {
    ref,
    verdict: statement.verdict,
    from: statement.from,
    knownBy: Math.max(observedFrom, statement.from + statement.within),
    to: end?.from ?? Infinity,
    overBy: end === undefined ? Infinity : end.from + end.within,
    culprit: statement.culprit ?? null,
    causes: [statement.cause ?? own, ...(statement.alsoBy === undefined ? [] : [statement.alsoBy])],
    continues: null,
    optional: words.some((word) => !away.has(word)),
    patient: words.some((word) => patient.has(word)),
  };
}

/** Passes that end well while an object is converged, and bring it home for good. The one that mended it is none of them. */
const passesHome = 2;
/** Verdicts that are over only by the end of a pass. The others may be converged in the midst of one, which then counts. */
const mendedByPass: ReadonlySet<TrueSummary> = new Set(['diverged', 'unhealthy', 'behind']);

/** Ties each fault of an object to the one before it that it was not home from for good. */
function tied(faults: readonly Fault[], tried: TriedLog): readonly Fault[] {
  const found: Fault[] = [];
  for (const fault of faults) {
    const before = found.at(-1);
    // A pass may end well while the new fault is not known yet.
    const least = before && tried.passes(nameOf(fault.ref), before.to, fault.from)?.least;
    const most = before && tried.passes(nameOf(fault.ref), before.to, fault.knownBy)?.most;
    const surely = before && most !== undefined && most < passesHome + (mendedByPass.has(before.verdict) ? 1 : 0);
    const isTied = before && least !== undefined && least < passesHome + 1;
    found.push({ ...fault, continues: isTied ? { fault: before, surely: surely ?? false } : null });
  }
  return found;
}

function switchesOf(all: readonly StatedObject[], from: number, to: number): { suspended: number; resumed: number } {
  const found = { suspended: 0, resumed: 0 };
  for (const { statements } of all)
    for (const [place, one] of statements.entries()) {
      if (one.from < from || one.from >= to) continue;
      if (one.verdict === 'suspended') found.suspended += 1;
      else if (statements[place - 1]?.verdict === 'suspended') found.resumed += 1;
    }
  return found;
}

/** Reads the script as far as it was played; `lookedFrom` is when somebody had looked at everything for the first time. */
export function scriptTruth(
  { clusters, ledger, repository }: DemoFleet,
  observedFrom: number,
  tried: TriedLog,
  judged: Judged,
): ScriptTruth {
  const faults = ledger.stated().flatMap((stated) =>
    tied(
      stated.statements.flatMap((_statement, index) => faultOf(stated, index, observedFrom) ?? []),
      tried,
    ),
  );
  const byName = Map.groupBy(faults, ({ ref }) => nameOf(ref));
  const commits = repository.commits();
  const anyOf = new Map(ledger.refs().map((ref) => [ref.cluster, ref]));
  const expectedOn = (cluster: string, at: number): Expected | null => {
    const ref = anyOf.get(cluster);
    return ref ? ledger.of(ref, at) : null;
  };
  return {
    clusters: [...clusters.keys()],
    kustomizations: ledger
      .refs()
      .filter(({ kind }) => kind === 'Kustomization')
      .map(nameOf),
    releasesOf(name) {
      const [cluster = '', , , , kustomization = ''] = name.split('/');
      return ledger.delivered(cluster, kustomization).filter(({ kind }) => kind === 'HelmRelease').length;
    },
    argoReads(cluster, commit) {
      const has = ledger.refs().some((ref) => ref.cluster === cluster && ref.kind === 'Application');
      return has ? (commits.find(({ sha }) => sha === commit)?.time ?? null) : null;
    },
    otherAppliers: (cluster) =>
      ledger.refs().filter((ref) => ref.cluster === cluster && (ref.kind === 'Terraform' || ref.kind === 'Application'))
        .length,
    lostSince(cluster, at) {
      const expected = expectedOn(cluster, at);
      return expected?.verdict === 'unobserved' ? expected.since : null;
    },
    mayBeUnseen: (cluster, at) => expectedOn(cluster, at)?.alsoRight.includes('unobserved') ?? false,
    judged,
    observedFrom,
    faults,
    faultsOf: (ref) => byName.get(nameOf(ref)) ?? [],
    saysItWaits: (ref, at) => tried.saysItWaits(nameOf(ref), at),
    losses: ledger.lost(),
    mayBe(ref, word, at) {
      const expected = ledger.of(ref, at);
      if (expected === null) return false;
      const words = [expected.verdict, ...expected.alsoRight];
      // What is away, or may be so still, and is held up by a wave says so itself: nobody can know better.
      if (word === 'waiting' && words.some((one) => away.has(one)) && tried.saysItWaits(nameOf(ref), at)) return true;
      return words.some((one) => one === word);
    },
    isOnly(ref, word, at) {
      const expected = ledger.of(ref, at);
      if (expected === null || tried.saysItWaits(nameOf(ref), at)) return false;
      return [expected.verdict, ...expected.alsoRight].every((one) => one === word);
    },
    suspendedWithin(ref, from, to) {
      const own = ledger.stated().find((stated) => nameOf(stated.ref) === nameOf(ref))?.statements ?? [];
      const place = own.findIndex((one) => one.from >= from && one.from <= to);
      if (own[place]?.verdict === 'suspended') return 'suspended';
      return own[place - 1]?.verdict === 'suspended' ? 'resumed' : null;
    },
    switchedWithin: (from, to) => switchesOf(ledger.stated(), from, to),
    placeOf(hash) {
      const place = commits.findIndex(({ sha }) => hash.length >= 7 && sha.startsWith(hash));
      return place === -1 ? null : place;
    },
    headAt: (at) => commits.findLastIndex(({ time }) => Math.floor(time / 1000) * 1000 <= at),
  };
}
