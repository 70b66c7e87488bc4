import type { CurrentObject, Onset } from './current.ts';
import { errorText } from './error-text.ts';
import type { Cause } from './judgement.ts';
import { refKey } from './ref.ts';
import { shortRevision } from './revision.ts';
import { verdictRank, type Verdict } from './verdict.ts';

/** A cause as one string, the same for all objects beneath it. */
export function causeKey(cause: Cause): string {
  switch (cause.type) {
    case 'object':
      return `object:${refKey(cause.ref)}`;
    case 'controller':
      return `controller:${cause.cluster}/${cause.namespace}/${cause.name}`;
    case 'cluster':
      return `cluster:${cause.cluster}`;
    case 'feed':
      return `feed:${cause.cluster}/${cause.group}/${cause.kind}`;
    case 'shared-error':
      return `shared-error:${refKey(cause.providerConfig)}`;
  }
}

/** A cause in words, without a verb: "kustomize-controller on stg-edge". */
export function causeTitle(cause: Cause): string {
  switch (cause.type) {
    case 'object':
      return `${cause.ref.name} on ${cause.ref.cluster}`;
    case 'controller':
      return `${cause.name} on ${cause.cluster}`;
    case 'cluster':
      return cause.cluster;
    case 'feed':
      return `${cause.kind} on ${cause.cluster}`;
    case 'shared-error':
      return `${cause.providerConfig.kind} ${cause.providerConfig.name} on ${cause.cluster}`;
  }
}

/** One cause and what it takes down with it: its blast radius. */
export interface CauseGroup {
  readonly key: string;
  readonly cause: Cause;
  /** The verdict of the cause itself, where it is an object; else the worst beneath it. */
  readonly verdict: Verdict;
  /** What goes on, for people, after the title: "stopped: 14 objects stale". */
  readonly text: string;
  /** Objects beneath the cause, itself included where it is an object. */
  readonly objects: number;
  readonly clusters: number;
  readonly since: Onset;
  readonly alarm: CurrentObject['alarm']['state'];
}

interface Gathering {
  readonly cause: Cause;
  self: CurrentObject | null;
  /** Whether what lies beneath says that the cause is not there at all. */
  absent: boolean;
  /** Whether anything in it deserves a line of its own. */
  worthy: boolean;
  beneath: number;
  readonly verdicts: Map<Verdict, number>;
  readonly clusters: Set<string>;
  since: Onset;
  alarm: CurrentObject['alarm']['state'];
}

const alarmOrder: readonly CurrentObject['alarm']['state'][] = ['silent', 'unknown', 'pending', 'not-due', 'sounding'];

function worseAlarm(
  a: CurrentObject['alarm']['state'],
  b: CurrentObject['alarm']['state'],
): CurrentObject['alarm']['state'] {
  return alarmOrder.indexOf(a) <= alarmOrder.indexOf(b) ? a : b;
}

function earlier(a: Onset, b: Onset): Onset {
  return a.time <= b.time ? a : b;
}

const absentReasons: ReadonlySet<string> = new Set(['SourceMissing', 'PartMissing', 'DeliveryNotSeen']);

const worthALine: Readonly<Record<Verdict, boolean>> = {
  diverged: true,
  drifted: true,
  unhealthy: true,
  stale: true,
  unobserved: true,
  suspended: false,
  behind: true,
  waiting: true,
  progressing: false,
  unconfirmed: false,
  converged: false,
};

function plural(n: number, noun: string): string {
  return `${n} ${n === 1 ? noun : `${noun}s`}`;
}

function listVerdicts(verdicts: ReadonlyMap<Verdict, number>): string {
  return [...verdicts]
    .toSorted((a, b) => verdictRank(a[0]) - verdictRank(b[0]))
    .map(([verdict, n], index) => (index === 0 ? `${plural(n, 'object')} ${verdict}` : `${n} ${verdict}`))
    .join(', ');
}

/** What stands on the cause, by verdict: "2 objects wait for it", "14 more unconfirmed". */
function beneathText(found: Gathering): string {
  const others = new Map(found.verdicts);
  if (found.self) others.set(found.self.verdict, (others.get(found.self.verdict) ?? 1) - 1);
  const parts: string[] = [];
  for (const [verdict, n] of [...others].toSorted((a, b) => verdictRank(a[0]) - verdictRank(b[0]))) {
    if (n < 1) continue;
    parts.push(
      verdict === 'waiting'
        ? `${plural(n, 'object')} ${n === 1 ? 'waits' : 'wait'} for it`
        : `${plural(n, 'object')} beneath ${verdict}`,
    );
  }
  return parts.join(', ');
}

function textOf(found: Gathering): string {
  const { cause, self } = found;
  switch (cause.type) {
    case 'object':
      return [self ? selfText(self) : found.absent ? 'is not there' : '', beneathText(found)]
        .filter((part) => part !== '')
        .join(', ');
    case 'controller':
      return `stopped: ${listVerdicts(found.verdicts)}`;
    case 'cluster':
      return `not observed: ${plural(found.beneath, 'object')}`;
    case 'feed':
      return `cannot be read: ${plural(found.beneath, 'object')}`;
    case 'shared-error':
      return `${cause.message}: ${plural(found.beneath, 'object')}`;
  }
}

/** What is wrong with an object, without its name, in the words of its reconciler's reason. */
function selfText(object: CurrentObject): string {
  const { attempted } = object.revision;
  const at = attempted === null ? '' : ` at ${shortRevision(attempted)}`;
  switch (object.reason) {
    case 'BuildFailed':
      return `build fails${at}`;
    case 'ReconciliationFailed':
      return `cannot be applied${at}`;
    case 'HealthCheckFailed':
      return `health checks fail${at}`;
    case 'DriftDetected':
      return 'differs from what is declared, left in place';
    case 'InstallFailed':
      return `installation fails${at}`;
    case 'UpgradeFailed':
      return `upgrade fails${at}`;
    case 'ReconcileError':
      return object.message === '' ? 'cannot be made as declared' : errorText(object.message);
    case 'GitOperationFailed':
    case 'OCIArtifactPullFailed':
    case 'BucketOperationFailed':
    case 'IndexationFailed':
    case 'AuthenticationFailed':
      return 'cannot fetch';
    case 'Behind':
      return object.revision.offered === null ? 'behind' : `has not taken up ${shortRevision(object.revision.offered)}`;
    case 'ControllerDead':
    case 'NoPass':
      return 'gives no sign of life';
    case '':
      return object.verdict;
    default:
      return `${object.verdict}: ${object.reason}`;
  }
}

function ownCause(object: CurrentObject): Cause {
  return object.rootCause ?? { type: 'object', ref: object.ref };
}

/**
 * The causes behind everything that is not in order, worst first: silent before called, then by verdict, then by how many
 * objects they take down. `objects` are as known now. What only waits, or cannot be confirmed, counts under its cause and
 * makes no line of its own where its cause has one.
 */
export function groupCauses(objects: Iterable<CurrentObject>): readonly CauseGroup[] {
  const groups = new Map<string, Gathering>();
  for (const object of objects) {
    // That a declared stack is not observed is its nature, no fault of anything.
    if (object.verdict === 'converged' || object.verdict === 'suspended' || object.role === 'declared') continue;
    const cause = ownCause(object);
    const key = causeKey(cause);
    // A cluster or kind that is lost takes its objects down when it is lost, whatever they were before.
    const lost = cause.type === 'cluster' || cause.type === 'feed';
    const since = lost ? object.onset : (object.awaySince ?? object.onset);
    let found = groups.get(key);
    if (!found) {
      found = {
        cause,
        self: null,
        absent: false,
        worthy: false,
        beneath: 0,
        verdicts: new Map(),
        clusters: new Set(),
        since,
        alarm: object.alarm.state,
      };
      groups.set(key, found);
    }
    if (object.rootCause === null) found.self = object;
    else found.beneath += 1;
    found.absent ||= absentReasons.has(object.reason);
    found.worthy ||= worthALine[object.verdict];
    found.verdicts.set(object.verdict, (found.verdicts.get(object.verdict) ?? 0) + 1);
    found.clusters.add(object.ref.cluster);
    found.since = earlier(found.since, since);
    found.alarm = worseAlarm(found.alarm, object.alarm.state);
  }
  const lines: CauseGroup[] = [];
  for (const [key, found] of groups) {
    if (!found.worthy) continue;
    const worst = [...found.verdicts.keys()].toSorted((a, b) => verdictRank(a) - verdictRank(b))[0];
    const verdict = found.self?.verdict ?? worst;
    if (!verdict) continue;
    lines.push({
      key,
      cause: found.cause,
      verdict,
      text: textOf(found),
      objects: found.beneath + (found.self ? 1 : 0),
      clusters: found.clusters.size,
      since: found.self ? (found.self.awaySince ?? found.self.onset) : found.since,
      alarm: found.self ? found.self.alarm.state : found.alarm,
    });
  }
  return lines.toSorted(
    (a, b) =>
      Number(b.alarm === 'silent') - Number(a.alarm === 'silent') ||
      verdictRank(a.verdict) - verdictRank(b.verdict) ||
      b.objects - a.objects ||
      a.since.time - b.since.time ||
      (a.key < b.key ? -1 : 1),
  );
}
