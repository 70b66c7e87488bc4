import type { KnownObject } from '../alarm/known-object.ts';
import type { ClusterAsKnown } from '../verdict/as-known-at.ts';
import { driftGoesUnseen } from '../observation/drift.ts';
import type { Policy } from '../guarantee/guarantee.ts';
import { guaranteeOf } from '../guarantee/guarantee.ts';
import { isOnlyDeclared } from '../verdict/only-declared.ts';
import { plannedWorkOn, type PlannedWork } from '../exemption/planned-work.ts';
import { refKey } from '../observation/ref.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { verdictRank, verdicts } from '../verdict/verdict.ts';
import type { ColumnMode } from './column-of.ts';
import type { RowContext } from './column-of.ts';
import type { ColumnSeed } from './column-seeds.ts';
import { columnOf, rootsOf } from './column-of.ts';
import { mostColumnsOfRow, restColumn, seedsWhile, type ColumnSeeds } from './column-seeds.ts';

/** Everything behind one cell. */
export interface MatrixCell {
  readonly seed: ColumnSeed;
  /** The worst object behind it: by silence, verdict, then the longest away; one that is only declared where there is no other. */
  readonly worst: KnownObject;
  readonly objects: number;
  /** Somebody should have been called for an object behind it, and nobody was. */
  readonly silent: boolean;
  readonly busy: boolean;
  /** An object whose commit is not known to be the newest that its source offers: one that is not, before one of which that is not known; the worst one, else any. */
  readonly differing: KnownObject | null;
  /** An object behind it that is seen and whose commit is known; any where it differs on none. */
  readonly running: KnownObject | null;
  /** True if a source whose commit is known stands behind it: no path says which later commits count for that. */
  readonly source: boolean;
  /** The verdicts behind it as bits, 1 << verdictRank. */
  readonly verdicts: number;
  /** Objects behind it whose drift nobody measures. */
  readonly unmeasured: number;
  /** Exemptions behind it. */
  readonly exemptions: number;
}

/** One cluster's row before it is laid under columns. */
export interface MatrixRow {
  readonly cluster: string;
  readonly labels: { readonly [key: string]: string };
  readonly known: ClusterAsKnown;
  readonly cells: readonly MatrixCell[];
  /** The same by the slots of their columns, with nothing where there is none. */
  readonly bySlot: readonly (MatrixCell | undefined)[];
  /** The worst verdict of what can be observed. */
  readonly worst: Verdict | null;
  /** Objects that are only declared. */
  readonly declared: number;
  /** Objects that are away past their deadline with nobody called. */
  readonly silent: number;
  readonly plannedWork: PlannedWork | null;
  readonly counts: ReadonlyMap<Verdict, number>;
  /** Rows with the same layout, of the same seeds, ask for the same columns. */
  readonly layout: string;
}

/** Parameters of a row. `now` in ms since the epoch. */
export interface RowQuestion {
  readonly mode: ColumnMode;
  readonly policy: Policy;
  readonly now: number;
  /** Kept by the caller from row to row. */
  readonly seeds: ColumnSeeds;
}

/** A cell while its objects are still being added. */
interface OpenCell extends MatrixCell {
  worst: KnownObject;
  objects: number;
  silent: boolean;
  busy: boolean;
  differing: KnownObject | null;
  running: KnownObject | null;
  source: boolean;
  verdicts: number;
  unmeasured: number;
  exemptions: number;
}

/** The cells of a row while its objects are still being added. */
interface OpenCells {
  readonly cells: OpenCell[];
  readonly bySlot: (OpenCell | undefined)[];
}

/**
 * Builds the row of one cluster from its objects as known at `question.now`. `around`: all objects there, where the row is of some:
 * one that is not in the row may say to which column one that is belongs.
 */
export function matrixRow(
  cluster: {
    readonly name: string;
    readonly labels: { readonly [key: string]: string };
    readonly known: ClusterAsKnown;
  },
  objects: readonly KnownObject[],
  question: RowQuestion,
  around: readonly KnownObject[] = objects,
): MatrixRow {
  const open: OpenCells = { cells: [], bySlot: [] };
  const isFull = (): boolean => open.cells.length >= mostColumnsOfRow;
  const context = rowContext(cluster.labels, around, seedsWhile(question.seeds, isFull));
  const counts = verdicts.map(() => 0);
  let [silent, declared] = [0, 0];
  let worst: number | null = null;
  for (const object of objects) {
    const rank = verdictRank(object.verdict);
    const broken = object.verdict !== 'converged' && guaranteeOf(object, question.policy, question.now) === 'broken';
    const own = columnOf(question.mode, object, context);
    const isOpen = open.bySlot[own.slot] !== undefined || !isFull();
    gather(open, isOpen ? own : restColumn(question.seeds), object, rank, broken);
    counts[rank] = (counts[rank] ?? 0) + 1;
    if (broken) silent += 1;
    if (isOnlyDeclared(object)) declared += 1;
    else worst = Math.min(worst ?? rank, rank);
  }
  const { name, labels, known } = cluster;
  const found = verdicts.flatMap((verdict, rank) => (counts[rank] ? [[verdict, counts[rank]] as const] : []));
  const plannedWork = plannedWorkOn(question.policy.maintenance, name, question.now);
  return {
    cluster: name,
    labels,
    known,
    ...open,
    worst: worst === null ? null : (verdicts[worst] ?? null),
    declared,
    silent,
    plannedWork,
    counts: new Map(found),
    layout: layoutOf(open.cells, question.seeds),
  };
}

/** Context that `columnOf` needs of the objects of one cluster. */
export function rowContext(
  labels: MatrixRow['labels'],
  objects: readonly KnownObject[],
  seeds: RowQuestion['seeds'],
): RowContext {
  let kustomizations: Map<string, KnownObject> | null = null;
  function index(): Map<string, KnownObject> {
    const found = objects.filter((object) => object.ref.kind === 'Kustomization');
    return new Map(found.map((object) => [refKey(object.ref), object]));
  }
  return {
    labels,
    seeds,
    roots: rootsOf(objects),
    find(key) {
      kustomizations ??= index();
      return kustomizations.get(key) ?? null;
    },
  };
}

/** Columns that a row contributes: their ids and heads, and whether one object of one name stands behind each. */
function layoutOf(cells: readonly MatrixCell[], seeds: ColumnSeeds): string {
  const parts: number[] = [];
  for (const { seed, objects, worst } of cells) parts.push(seeds.part(seed, objects === 1 ? worst.ref : null));
  return parts.join(' ');
}

function gather(open: OpenCells, seed: ColumnSeed, object: KnownObject, rank: number, silent: boolean): void {
  const { slot } = seed;
  const found = open.bySlot[slot];
  const differing = object.commitDiffers !== 'no' && object.commit !== null ? object : null;
  const running = object.commit !== null && object.verdict !== 'unobserved' ? object : null;
  const source = object.role === 'source' && object.commit !== null;
  const busy = object.reconciling || object.rolling;
  const verdictBit = 1 << rank;
  const unmeasured = driftGoesUnseen(object) ? 1 : 0;
  const exemptions = object.exemptions.length;
  if (!found) {
    const cell = {
      seed,
      worst: object,
      objects: 1,
      silent,
      busy,
      differing,
      running,
      source,
      verdicts: verdictBit,
      unmeasured,
      exemptions,
    };
    open.cells.push(cell);
    open.bySlot[slot] = cell;
    return;
  }
  found.objects += 1;
  found.busy ||= busy;
  found.source ||= source;
  found.verdicts |= verdictBit;
  found.unmeasured += unmeasured;
  found.exemptions += exemptions;
  found.running ??= running;
  const worse = isWorse(object, rank, silent, found);
  found.differing = worse ? firstOf(differing, found.differing) : firstOf(found.differing, differing);
  if (worse) {
    found.worst = object;
    found.silent = silent;
    found.running = running ?? found.running;
  }
}

/** The first of two, but one that differs before one of which that is not known. */
function firstOf(first: KnownObject | null, second: KnownObject | null): KnownObject | null {
  if (first?.commitDiffers === 'unknown' && second?.commitDiffers === 'yes') return second;
  return first ?? second;
}

function isWorse(object: KnownObject, rank: number, silent: boolean, found: MatrixCell): boolean {
  if (silent !== found.silent) return silent;
  const declared = isOnlyDeclared(object);
  if (declared !== isOnlyDeclared(found.worst)) return !declared;
  const byVerdict = rank - verdictRank(found.worst.verdict);
  // Which of many that are in order stands for a cell does not matter: the first.
  if (byVerdict !== 0 || object.verdict === 'converged') return byVerdict < 0;
  return sinceOf(object) < sinceOf(found.worst);
}

/** Since when (ms) an object is away, or in its present verdict where it is not. */
export function sinceOf(object: KnownObject): number {
  return (object.awaySince ?? object.onset).time;
}
