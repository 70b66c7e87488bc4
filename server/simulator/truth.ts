import type { AlarmLink, AlarmsUnknown } from '#lib/domain/alarm/link.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { ObjectRef, RefKey } from '#lib/domain/observation/ref.ts';

/** The words that the script uses for what is true of an object; the same as the observatory's verdicts. */
export type TrueSummary =
  | 'diverged'
  | 'drifted'
  | 'unhealthy'
  | 'stale'
  | 'unobserved'
  | 'suspended'
  | 'behind'
  | 'waiting'
  | 'progressing'
  | 'unconfirmed'
  | 'converged';

/** Knowledge of the script itself about one object. Times in ms since the epoch. */
export interface Expected {
  readonly ref: ObjectRef;
  /** The verdict that is to be reached. */
  readonly verdict: TrueSummary;
  /** Verdicts that are no lie either: the former one while news travels, or another reading of the same fact. */
  readonly alsoRight: readonly TrueSummary[];
  readonly since: number;
  /** True if enough time has passed for `verdict` to be known. */
  readonly settled: boolean;
}

/** An alarm as the script means it: `since` of one that sounds is left to who reads it. */
export type TrueAlarm =
  | { readonly state: 'sounding'; readonly by: 'own' | 'cause' | 'group' }
  | { readonly state: 'pending' | 'silent'; readonly broken: AlarmLink }
  | { readonly state: 'not-due' }
  | { readonly state: 'unknown'; readonly why: AlarmsUnknown };

/** Knowledge of the script itself about the alarm of one object. */
export interface ExpectedAlarm {
  readonly ref: ObjectRef;
  readonly alarm: TrueAlarm;
  /** Alarms that are no lie either, because another word on the object is none. */
  readonly alsoRight: readonly TrueAlarm[];
  /** False while something has just changed, or is about to, so that an observer may say what was before or comes after it. */
  readonly settled: boolean;
}

/** A cause by which objects fail, as the script knows it. */
export interface TrueCause {
  readonly type: 'object' | 'controller' | 'cluster' | 'shared-error';
  /** Kind and name of what fails; '' for no kind. Of objects that fail alike those that they have. */
  readonly kind: string;
  readonly name: string;
  /** null where it is on several clusters. */
  readonly cluster: string | null;
}

/** Statement of what becomes true of objects. */
export interface Statement {
  readonly verdict: TrueSummary;
  readonly alsoRight?: readonly TrueSummary[];
  /** Words that an object passes through on its way to it, right until it has to be known. */
  readonly meanwhile?: readonly TrueSummary[];
  /** When it became true, ms since the epoch. */
  readonly from: number;
  /** Time an observer may take to know it, ms; until then the former verdict is right as well. */
  readonly within: number;
  /** The commit that made it so; absent where none did. */
  readonly culprit?: string;
  /** Absent where each fails by itself, and where none fails. */
  readonly cause?: TrueCause;
  /** Another cause that they fail by as well: nobody can tell which of the two it is. */
  readonly alsoBy?: TrueCause;
}

/** Truth of an object at a moment, with the statement that says so, and since when it has been away from git (ms; null: it is not). */
export interface StatedNow {
  readonly expected: Expected;
  readonly statement: Statement;
  readonly awaySince: number | null;
}

/** A time in which a cluster was lost (ms): `to` and `overBy` are Infinity while it is. */
export interface StatedLoss {
  readonly cluster: string;
  readonly from: number;
  /** When that is known at the latest. */
  readonly knownBy: number;
  readonly to: number;
  readonly overBy: number;
}

/** Statements about one object, oldest first. */
export interface StatedObject {
  readonly ref: ObjectRef;
  readonly statements: readonly Statement[];
}

/** Keeps what the script knows to be true. Shares nothing with the code that judges. */
export type Ledger = ReturnType<typeof createLedger>;

interface Entry {
  readonly ref: ObjectRef;
  readonly deliveredBy: string | null;
  readonly statements: Statement[];
}

interface Loss {
  readonly from: number;
  readonly within: number;
  readonly lost: boolean;
}

/** So many statements of an object, and losses of a cluster, are kept: some dozens of rounds of the story. */
const remembered = 200;

/** Words that ask for an alarm. */
const awayWords: ReadonlySet<TrueSummary> = new Set([
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'behind',
  'waiting',
  'progressing',
]);

/** True if a word on an object asks for an alarm. */
export function isAwayWord(word: TrueSummary): boolean {
  return awayWords.has(word);
}

function awaySinceOf(statements: readonly Statement[], now: number): number | null {
  const past = statements.filter(({ from }) => from <= now);
  const home = past.findLastIndex(({ verdict }) => !isAwayWord(verdict));
  return past[home + 1]?.from ?? null;
}

function acceptedBefore(statements: readonly Statement[], at: number): TrueSummary[] {
  const summaries: TrueSummary[] = [];
  statements.forEach((statement, index) => {
    const next = statements[index + 1];
    const last = next ? next.from + next.within : Infinity;
    if (statement.from > at || last <= at) return;
    summaries.push(statement.verdict, ...(statement.alsoRight ?? []));
    if (at < statement.from + statement.within) summaries.push(...(statement.meanwhile ?? []));
  });
  return summaries;
}

/** Makes an empty ledger. */
export function createLedger() {
  const entries = new Map<RefKey, Entry>();
  const losses = new Map<string, Loss[]>();

  function expectedOf(entry: Entry, now: number): Expected | null {
    const current = entry.statements.findLast((statement) => statement.from <= now);
    if (!current) return null;
    const accepted = acceptedBefore(entry.statements, now);
    const loss = losses.get(entry.ref.cluster)?.findLast((one) => one.from <= now);
    const { ref } = entry;
    const known = !loss || now >= loss.from + loss.within;
    if (loss?.lost)
      return { ref, verdict: 'unobserved', alsoRight: known ? [] : accepted, since: loss.from, settled: known };
    const summaries: TrueSummary[] = known ? accepted : [...accepted, 'unobserved', 'unconfirmed', 'stale'];
    const { verdict, from: since, within } = current;
    return { ref, verdict, alsoRight: others(summaries, verdict), since, settled: known && now >= since + within };
  }

  function lossOf(cluster: string, loss: Loss): void {
    losses.set(cluster, [...(losses.get(cluster) ?? []), loss].slice(-remembered));
  }

  return {
    /** Takes an object on. `deliveredBy`: the Kustomization of its cluster whose owner labels it carries. */
    register: (ref: ObjectRef, statement: Statement, deliveredBy: string | null = null): void =>
      void entries.set(refKey(ref), { ref, deliveredBy, statements: [statement] }),
    /** The objects that carry the owner labels of a Kustomization. */
    delivered: (cluster: string, kustomization: string): readonly ObjectRef[] =>
      [...entries.values()]
        .filter((entry) => entry.ref.cluster === cluster && entry.deliveredBy === kustomization)
        .map((entry) => entry.ref),
    state(ref: ObjectRef, statement: Statement): void {
      const entry = entries.get(refKey(ref));
      if (!entry) entries.set(refKey(ref), { ref, deliveredBy: null, statements: [statement] });
      else entry.statements.push(statement);
      if (entry && entry.statements.length > remembered) entry.statements.shift();
    },
    forget: (ref: ObjectRef): void => void entries.delete(refKey(ref)),
    /** Every object of the cluster is unobserved from then on. */
    lose: (cluster: string, from: number, within: number): void => lossOf(cluster, { from, within, lost: true }),
    /** The cluster answers again. */
    regain: (cluster: string, from: number, within: number): void => lossOf(cluster, { from, within, lost: false }),
    refs: (): readonly ObjectRef[] => [...entries.values()].map((entry) => entry.ref),
    /** Truth of one object at `now`; null of one that there is not. */
    of(ref: ObjectRef, now: number): Expected | null {
      const entry = entries.get(refKey(ref));
      return entry ? expectedOf(entry, now) : null;
    },
    /** Everything that is true at `now`, with what says so. */
    statedAt: (now: number): StatedNow[] =>
      [...entries.values()].flatMap((entry): StatedNow[] => {
        const expected = expectedOf(entry, now);
        const statement = entry.statements.findLast(({ from }) => from <= now);
        return expected && statement ? [{ expected, statement, awaySince: awaySinceOf(entry.statements, now) }] : [];
      }),
    /** Every time in which a cluster was lost, as far back as it is kept. */
    lost: (): readonly StatedLoss[] => [...losses].flatMap(([cluster, of]) => lostTimes(cluster, of)),
    /** Everything that was stated, as far back as it is kept. */
    stated: (): readonly StatedObject[] => [...entries.values()],
    /** Truth at `now` of every object, also where that is past. */
    truth: (now: number): Expected[] => [...entries.values()].flatMap((entry) => expectedOf(entry, now) ?? []),
  };
}

function lostTimes(cluster: string, losses: readonly Loss[]): readonly StatedLoss[] {
  return losses.flatMap(({ lost, from, within }, index): StatedLoss[] => {
    if (!lost) return [];
    const end = losses.slice(index + 1).find((one) => !one.lost) ?? { from: Infinity, within: 0 };
    return [{ cluster, from, knownBy: from + within, to: end.from, overBy: end.from + end.within }];
  });
}

function others(summaries: readonly TrueSummary[], main: TrueSummary): TrueSummary[] {
  return [...new Set(summaries)].filter((summary) => summary !== main);
}
