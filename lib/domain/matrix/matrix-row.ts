import type { ClusterAsKnown } from '../as-known-at.ts';
import type { CurrentObject } from '../current.ts';
import type { Policy } from '../guarantee.ts';
import { guaranteeOf } from '../guarantee.ts';
import { refKey } from '../ref.ts';
import type { Verdict } from '../verdict.ts';
import { verdictRank } from '../verdict.ts';
import type { ColumnMode } from './column-mode.ts';
import type { ColumnSeed } from './column-of.ts';
import { columnOf, rootsOf } from './column-of.ts';

/** Everything behind one cell. */
export interface MatrixCell {
  readonly seed: ColumnSeed;
  /** The worst object behind it: by silence, verdict, then the longest away. */
  readonly worst: CurrentObject;
  readonly objects: number;
  readonly silent: boolean;
  readonly busy: boolean;
  /** An object whose commit is not the newest that its source offers: the worst one, else any. */
  readonly differing: CurrentObject | null;
  readonly verdicts: ReadonlySet<Verdict>;
}

/** One cluster's row before it is laid under columns. */
export interface MatrixRow {
  readonly cluster: string;
  readonly labels: { readonly [key: string]: string };
  readonly known: ClusterAsKnown;
  readonly cells: ReadonlyMap<string, MatrixCell>;
  readonly worst: Verdict | null;
  /** Objects that are away past their deadline with nobody called. */
  readonly silent: number;
  readonly counts: ReadonlyMap<Verdict, number>;
}

/** What is asked of a row. `now` in ms since the epoch. */
export interface RowQuestion {
  readonly mode: ColumnMode;
  readonly reconciler: string;
  readonly namespace: string;
  readonly policy: Policy;
  readonly now: number;
}

interface Gathering {
  seed: ColumnSeed;
  worst: CurrentObject;
  worstSilent: boolean;
  objects: number;
  busy: boolean;
  differing: CurrentObject | null;
  verdicts: Set<Verdict>;
}

/** Builds the row of one cluster from its objects as known at `question.now`. */
export function matrixRow(
  cluster: {
    readonly name: string;
    readonly labels: { readonly [key: string]: string };
    readonly known: ClusterAsKnown;
  },
  objects: readonly CurrentObject[],
  question: RowQuestion,
): MatrixRow {
  const kustomizations = new Map<string, CurrentObject>();
  for (const object of objects) if (object.ref.kind === 'Kustomization') kustomizations.set(refKey(object.ref), object);
  const context = {
    labels: cluster.labels,
    roots: rootsOf(kustomizations.values()),
    find: (key: string) => kustomizations.get(key) ?? null,
  };
  const cells = new Map<string, Gathering>();
  const counts = new Map<Verdict, number>();
  let silent = 0;
  let worst: Verdict | null = null;
  for (const object of objects) {
    if (question.reconciler !== '' && object.reconciler !== question.reconciler) continue;
    if (question.namespace !== '' && object.ref.namespace !== question.namespace) continue;
    const broken = guaranteeOf(object, question.policy, question.now) === 'broken';
    gather(cells, columnOf(question.mode, object, context), object, broken);
    counts.set(object.verdict, (counts.get(object.verdict) ?? 0) + 1);
    if (broken) silent += 1;
    if (worst === null || verdictRank(object.verdict) < verdictRank(worst)) worst = object.verdict;
  }
  return {
    cluster: cluster.name,
    labels: cluster.labels,
    known: cluster.known,
    cells: new Map([...cells].map(([id, found]) => [id, { ...found, silent: found.worstSilent }])),
    worst,
    silent,
    counts,
  };
}

function gather(cells: Map<string, Gathering>, seed: ColumnSeed, object: CurrentObject, silent: boolean): void {
  const found = cells.get(seed.id);
  const differing = object.commitDiffers && object.commit !== null ? object : null;
  const busy = object.reconciling || object.rolling;
  if (!found) {
    cells.set(seed.id, {
      seed,
      worst: object,
      worstSilent: silent,
      objects: 1,
      busy,
      differing,
      verdicts: new Set([object.verdict]),
    });
    return;
  }
  found.objects += 1;
  found.busy ||= busy;
  found.verdicts.add(object.verdict);
  found.differing ??= differing;
  if (isWorse(object, silent, found)) {
    found.worst = object;
    found.worstSilent = silent;
    found.differing = differing ?? found.differing;
  }
}

function isWorse(object: CurrentObject, silent: boolean, found: Gathering): boolean {
  if (silent !== found.worstSilent) return silent;
  const byVerdict = verdictRank(object.verdict) - verdictRank(found.worst.verdict);
  return byVerdict < 0 || (byVerdict === 0 && sinceOf(object) < sinceOf(found.worst));
}

/** Since when (ms) an object is away, or in its present verdict where it is not. */
export function sinceOf(object: CurrentObject): number {
  return (object.awaySince ?? object.onset).time;
}
