// What the demo's script means its alarms to be: which fault is called for by whom, and which link is broken where nobody is. It shares
// nothing with the rules that are evaluated, nor with the code that reads them. Times and durations in ms.
import type { AlarmLink } from '#lib/domain/alarm/link.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import { isAwayWord } from '../truth.ts';
import type { ExpectedAlarm, StatedNow, TrueAlarm, TrueSummary } from '../truth.ts';

/** The one cluster with a Prometheus of its own, which cannot be read. */
export const readAlone = 'stg-ap';
/** The cluster whose nodes are drained: its alerts are held back by that one. */
export const drainedCluster = 'us-east-1';
/** The Kustomization whose alert is silenced for two hours, by somebody who waits for it. */
export const silenced = { cluster: 'us-east-2', name: 'search' } as const;
/**
 * Mistakes of the demo's monitoring beside those that an object's alarm tells: alarms that sound for what is gone or in order, silences that
 * nothing needs any more, rules of which nothing can come, a rule that was never loaded, and groups of Crossplane that no target exports.
 */
export const mistakes = {
  orphans: [
    { cluster: 'eu-central-1a', kind: 'Kustomization', name: 'payments', is: 'gone' },
    { cluster: 'eu-central-1b', kind: 'Kustomization', name: 'cert-manager', is: 'converged' },
  ],
  silences: [{ cluster: 'eu-central-1a', name: 'ingress-nginx', id: '1d7c54aa-6e0b-4b0f-8f52-70f3a4be0c12' }],
  rules: {
    dead: 'FluxReconcileConditionFailed',
    failing: 'FluxSourceNotReady',
    resetForEver: 'FluxReconciliationFailed',
  },
  notLoaded: { cluster: 'stg-edge', namespace: 'monitoring', name: 'flux-edge', alert: 'FluxObjectNotReadyOnTheEdge' },
  notExported: ['rds.aws.upbound.io'],
} as const;

/** The cluster that the rules on appliers leave out. */
const leftOut = 'stg-edge';
/** The cluster on which a group alarm sounds once the credentials are gone. */
const oneCloud = 'us-west-2';

/** For so long a condition has to be true. */
const holds = {
  production: 2 * minute,
  staging: 10 * minute,
  drift: 5 * minute,
  crossplane: 5 * minute,
  many: 0,
} as const;

/** So long before and after a moment at which an alarm changes either may be said: rules are evaluated and read every 15 s. */
const slack = { before: 20 * second, after: 75 * second } as const;

/** End of an alarm's way to somebody: the link that is broken once its clock has run, or null where somebody is called. */
interface Way {
  /** Infinity: its clock is reset over and over. */
  readonly holds: number;
  readonly end: AlarmLink | null;
  readonly by: 'own' | 'group';
}

const sourceGroup = 'source.toolkit.fluxcd.io';
const appliers: ReadonlySet<string> = new Set(['Kustomization', 'HelmRelease']);
const composites: ReadonlySet<string> = new Set(['Database', 'XDatabase', 'ObjectStore']);

function isCloudResource({ group }: ObjectRef): boolean {
  return /\.aws\.(?:m\.)?upbound\.io$/.test(group) && group !== 'rds.aws.upbound.io';
}

function broken(link: AlarmLink): Way {
  return { holds: 0, end: link, by: 'own' };
}

function ofKustomization({ cluster, name }: ObjectRef, word: TrueSummary): Way {
  if (cluster === leftOut) return broken('rule');
  // A controller that is dead leaves Ready as it was.
  if (word === 'stale') return broken('condition');
  if (cluster.startsWith('ap-')) return { holds: Infinity, end: null, by: 'own' };
  if (cluster.startsWith('stg-') || cluster.startsWith('sbx-')) return { holds: holds.staging, end: null, by: 'own' };
  const isSilenced = cluster === silenced.cluster && name === silenced.name;
  const end = isSilenced ? 'silence' : cluster === drainedCluster ? 'inhibition' : null;
  return { holds: holds.production, end, by: 'own' };
}

/** The way of an alarm for an object that is away by a word. */
function wayOf(ref: ObjectRef, word: TrueSummary): Way {
  if (ref.group === sourceGroup) return broken(ref.kind === 'ExternalArtifact' ? 'series' : 'evaluation');
  if (ref.kind === 'HelmRelease')
    return word === 'drifted' ? { holds: holds.drift, end: 'receiver', by: 'own' } : broken('condition');
  if (appliers.has(ref.kind)) return ofKustomization(ref, word);
  const isRead = isCloudResource(ref) || composites.has(ref.kind);
  if (!isRead) return broken('series');
  if (ref.cluster === oneCloud && word === 'stale') return { holds: holds.many, end: null, by: 'group' };
  if (composites.has(ref.kind)) return broken('condition');
  return { holds: holds.crossplane, end: 'delivery', by: 'own' };
}

function alarmOf(way: Way, since: number, now: number, alarmWithin: number): TrueAlarm {
  const link = now - since < way.holds ? 'hold' : way.end;
  if (link === null) return { state: 'sounding', by: way.by };
  return { state: now - since < alarmWithin ? 'pending' : 'silent', broken: link };
}

/** Where a clock is reset, its alert is gone until the next evaluation that finds its condition true. */
function betweenResets({ expected: { ref, verdict } }: StatedNow, alarm: TrueAlarm): readonly TrueAlarm[] {
  const isReset = 'broken' in alarm && alarm.broken === 'hold' && wayOf(ref, verdict).holds === Infinity;
  return isReset ? [{ state: alarm.state, broken: 'condition' }] : [];
}

function intended({ expected, awaySince }: StatedNow, word: TrueSummary, now: number, alarmWithin: number): TrueAlarm {
  const { ref, since } = expected;
  if (word === 'unobserved') return { state: 'unknown', why: 'not-seen' };
  if (!isAwayWord(word)) return { state: 'not-due' };
  if (ref.cluster === readAlone) return { state: 'unknown', why: 'not-read' };
  return alarmOf(wayOf(ref, word), awaySince ?? since, now, alarmWithin);
}

/** True where an alarm changes about now. */
function isChanging({ expected, awaySince }: StatedNow, now: number, alarmWithin: number): boolean {
  if (awaySince === null) return false;
  const way = wayOf(expected.ref, expected.verdict);
  return [0, way.holds, alarmWithin].some((after) => {
    const at = awaySince + after;
    return now >= at - slack.before && now < at + slack.after;
  });
}

/**
 * The alarm that each object is meant to have at `now`, by what was stated; `alarmWithin` of the policy. What fails by another object
 * that is called for needs no call of its own.
 */
export function intendedAlarms(stated: readonly StatedNow[], now: number, alarmWithin: number): ExpectedAlarm[] {
  const own = new Map(
    stated.map((one) => [refKey(one.expected.ref), intended(one, one.expected.verdict, now, alarmWithin)]),
  );
  return stated.map((one): ExpectedAlarm => {
    const { expected, statement } = one;
    const { ref, verdict } = expected;
    const first = own.get(refKey(ref)) ?? intended(one, verdict, now, alarmWithin);
    const { cause } = statement;
    const isOther = cause?.type === 'object' && cause.cluster === ref.cluster && isAwayWord(verdict);
    const causeRef: ObjectRef | null =
      isOther && cause ? { ...ref, kind: cause.kind, name: cause.name, namespace: 'flux-system' } : null;
    const isCalled = causeRef !== null && own.get(refKey(causeRef))?.state === 'sounding';
    const alarm: TrueAlarm = isCalled ? { state: 'sounding', by: 'cause' } : first;
    const byOtherWords = expected.alsoRight.map((word) => intended(one, word, now, alarmWithin));
    const alsoRight = [...byOtherWords, ...betweenResets(one, alarm)];
    return { ref, alarm, alsoRight, settled: expected.settled && !isChanging(one, now, alarmWithin) };
  });
}
