import { rangeText } from '../record/commit-range-text.ts';
import type { CommitRange } from '../record/commit-range.ts';
import type { CurrentObject } from '../record/current.ts';
import { errorText } from './error-text.ts';
import type { Cause } from '../verdict/judgement.ts';
import { commitOf, shortRevision } from '../observation/revision.ts';
import { verdictRank, type Verdict } from '../verdict/verdict.ts';

/** A cause with what is known of it and of what lies beneath it. */
export interface CauseFacts {
  readonly cause: Cause;
  /** The objects that are the cause themselves, the one first that has been away longest; several where they fail alike, none where it is no object, or one that is in order. */
  readonly selves: readonly CurrentObject[];
  /** True if what lies beneath says that the cause is not there at all. */
  readonly absent: boolean;
  /** Objects beneath, by verdict. */
  readonly beneath: ReadonlyMap<Verdict, number>;
}

function plural(n: number, noun: string): string {
  return `${n} ${n === 1 ? noun : `${noun}s`}`;
}

function worstFirst(verdicts: ReadonlyMap<Verdict, number>): readonly (readonly [Verdict, number])[] {
  return [...verdicts].toSorted((a, b) => verdictRank(a[0]) - verdictRank(b[0]));
}

function total(verdicts: ReadonlyMap<Verdict, number>): number {
  return [...verdicts.values()].reduce((sum, n) => sum + n, 0);
}

/** Counts what depends on the cause, by verdict: "2 objects wait for it", "14 objects beneath unconfirmed". */
function beneathText(beneath: ReadonlyMap<Verdict, number>): string {
  return worstFirst(beneath)
    .map(([verdict, n]) =>
      verdict === 'waiting'
        ? `${plural(n, 'object')} ${n === 1 ? 'waits' : 'wait'} for it`
        : `${plural(n, 'object')} beneath ${verdict}`,
    )
    .join(', ');
}

/** Trouble for people, without the name of the cause: "build fails (worked at 2d81a0c, first failed at 9f31c07), 1 object waits for it". */
export function causeText({ cause, selves, absent, beneath }: CauseFacts): string {
  switch (cause.type) {
    case 'object': {
      const [self] = selves;
      const own = self ? `${selfText(self)}${brokeText(selves)}` : absent ? 'is not there' : '';
      return [own, beneathText(beneath)].filter((part) => part !== '').join(', ');
    }
    case 'controller':
      return `stopped: ${worstFirst(beneath)
        .map(([verdict, n], index) => (index === 0 ? `${plural(n, 'object')} ${verdict}` : `${n} ${verdict}`))
        .join(', ')}`;
    case 'cluster':
      return `not observed: ${plural(total(beneath), 'object')}`;
    case 'feed':
      return `cannot be read: ${plural(total(beneath), 'object')}`;
    case 'shared-error':
      return `${cause.message}: ${plural(total(beneath), 'object')}`;
    case 'outside':
      return beneathText(beneath);
  }
}

/** Whole hashes of the commits that the text of an object names by their first digits; those of the one that it tells of. */
export function causeCommits(selves: readonly CurrentObject[]): readonly string[] {
  const [first] = selves;
  if (first === undefined) return [];
  const { range, revision, source } = first;
  const named = [range?.lastGood, range?.firstBad, first.reason === 'Behind' ? revision.applied : null];
  return [...new Set(named.flatMap((text) => commitOf(text ?? null, source?.kind ?? null) ?? []))];
}

/**
 * Between which commits it broke, as that was known when it began; of several the one that has been away longest, named where the
 * others broke elsewhere. '' where no commit is known.
 */
function brokeText(selves: readonly CurrentObject[]): string {
  const [first] = selves;
  const range = first?.range ?? null;
  if (!first || range === null || (range.lastGood === null && range.firstBad === null)) return '';
  const text = rangeText(range);
  const same = selves.every(({ range: own }) => own !== null && (isSameRange(own, range) || rangeText(own) === text));
  const whose = same ? '' : `${first.ref.name} on ${first.ref.cluster} `;
  return ` (${whose}${text})`;
}

function isSameRange(a: CommitRange, b: CommitRange): boolean {
  return (
    a.lastGood === b.lastGood && a.firstBad === b.firstBad && a.seenBetween === b.seenBetween && a.watched === b.watched
  );
}

/** An object that is behind is told by what it runs: what is offered moves on, and the newest commit is younger than the fault. */
function behindText({ revision: { applied }, role }: CurrentObject): string {
  if (applied === null) return 'has not taken up what its source offers';
  return `${role === 'source' ? 'was made from' : 'runs'} ${shortRevision(applied)}, not what its source offers`;
}

/** Trouble of an object, without its name, in the words of its reconciler's reason. */
function selfText(object: CurrentObject): string {
  switch (object.reason) {
    case 'BuildFailed':
      return 'build fails';
    case 'ReconciliationFailed':
      return 'cannot be applied';
    case 'HealthCheckFailed':
      return 'health checks fail';
    case 'DriftDetected':
      return 'differs from what is declared, left in place';
    case 'DriftNotUndone':
      return 'differs from what is declared, and that is not undone';
    case 'InstallFailed':
      return 'installation fails';
    case 'UpgradeFailed':
      return 'upgrade fails';
    case 'ReconcileError':
      return object.message === '' ? 'cannot be made as declared' : errorText(object.message);
    case 'GitOperationFailed':
    case 'OCIArtifactPullFailed':
    case 'BucketOperationFailed':
    case 'IndexationFailed':
    case 'AuthenticationFailed':
      return 'cannot fetch';
    case 'Behind':
      return behindText(object);
    case 'ControllerDead':
    case 'NoPass':
      return 'gives no sign of life';
    case 'RuntimeNotRunning':
      return 'has no pod that runs';
    case '':
      return object.verdict;
    default:
      return `${object.verdict}: ${object.reason}`;
  }
}
