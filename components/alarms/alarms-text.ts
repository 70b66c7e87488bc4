import type { WireAlarms, WireAlarmSource } from '#lib/api/alarm/alarms.ts';
import type { WireSaid } from '#lib/api/object.ts';
import { listPath } from '#lib/api/paths.ts';
import { alarmsNotKept, unknownText } from '#lib/domain/alarm/alarm-text.ts';
import type { FindingType } from '#lib/domain/alarm/finding.ts';
import type { ReachAnswer } from '#lib/domain/alarm/reach.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { countOf, formatCount } from '#lib/format/number.ts';

/** Names of the types of findings. */
export const findingTitle: Readonly<Record<FindingType, string>> = {
  'nobody-receives': 'Alerts that call nobody',
  'not-routed': 'Rules whose alerts no route takes',
  'leaves-out': 'Rules that leave objects out',
  'dead-rule': 'Dead rules',
  'clock-resets': 'Rules whose clock resets',
  'calls-once': 'Rules that call once for many',
  'not-evaluated': 'Rules that are not evaluated',
  'not-loaded': 'Rules and routes that are not loaded',
  'silence-outlives': 'Silences that outlive their reason',
  orphan: 'Orphan alerts',
};

/** Meaning of each type of findings, in one line. */
export const findingMeaning: Readonly<Record<FindingType, string>> = {
  'nobody-receives': 'They fire, and are routed to receivers without an integration.',
  'not-routed': 'The Prometheus operator narrowed the route to alerts of one namespace, which theirs are not.',
  'leaves-out': 'They read a metric, and not all objects that have series of it.',
  'dead-rule': 'They read a metric that has no series at all: they can never fire.',
  'clock-resets': 'Their condition is interrupted at each pass, so that they wait for ever.',
  'calls-once': 'They count objects, and nobody is called anew for what leaves git while they sound.',
  'not-evaluated': 'They fail, or were not evaluated of late.',
  'not-loaded': 'A cluster declares them, and no program that may load them is known to have them so.',
  'silence-outlives': 'They hold back alerts long after what they were made for.',
  orphan: 'They sound for an object that is as in git, or is gone.',
};

/** Part of the fleet that a number is of. */
export interface Part {
  readonly cluster?: string;
  readonly group?: string;
  readonly kind?: string;
}

/** Objects that are counted of a part. */
export type Counted = ReachAnswer | 'objects' | 'away' | 'silent';

const awayVerdicts = verdicts.filter(isAway).join(',');

/** The list of exactly the objects that are counted. */
export function countedPath({ cluster = '', group, kind = '' }: Part, counted: Counted): string {
  const part = {
    ...(cluster === '' ? {} : { cluster }),
    ...(group === undefined ? {} : { group: group === '' ? '-' : group }),
    ...(kind === '' ? {} : { kind }),
  };
  switch (counted) {
    case 'objects':
      return listPath(part);
    case 'away':
      return listPath({ ...part, verdict: awayVerdicts });
    case 'silent':
      return listPath({ ...part, guarantee: 'broken' });
    default:
      return listPath({ ...part, reach: counted });
  }
}

/** A sentence in two parts, in pieces: each number with the list of what it counts. */
interface AlarmsSentence {
  readonly lead: readonly WireSaid[];
  readonly body: readonly WireSaid[];
}

/** For how many objects nobody is being called, and how many would call somebody; why that is not known, where nothing is. */
export function alarmsSentence(answer: WireAlarms, part: Part): AlarmsSentence {
  const { unknown, silentTotal, totals } = answer;
  const plain = (text: string): WireSaid => ({ text, href: null });
  if (unknown === 'not-kept') return { lead: [plain(alarmsNotKept)], body: [] };
  if (unknown !== null) return { lead: [plain(`Every paging status is unknown: ${unknownText[unknown]}.`)], body: [] };
  const counted = (text: string, of: Counted): WireSaid => ({ text, href: countedPath(part, of) });
  const lead =
    silentTotal > 0
      ? [plain('Nobody is being called for '), counted(countOf(silentTotal, 'object'), 'silent'), plain('.')]
      : [plain('No object is known to be silent.')];
  const { yes, no, unknown: open } = totals.routed;
  if (totals.objects === 0) return { lead, body: [] };
  const whole = counted(countOf(totals.objects, 'object'), 'objects');
  const some = yes === 0 ? plain('none') : counted(formatCount(yes), 'routed');
  const body = [plain('Somebody would be called for '), some, plain(' of '), whole];
  if (no > 0) body.push(plain(', nobody for '), counted(formatCount(no), 'not-routed'));
  if (open > 0) body.push(plain('; of '), counted(formatCount(open), 'unknown-routed'), plain(' that is not known'));
  return { lead, body: [...body, plain('.')] };
}

type Program = WireAlarmSource['programs'][number];

/** Sources of which something cannot be believed now, a sentence each. */
export function unreadTexts(sources: readonly WireAlarmSource[]): readonly string[] {
  return sources.flatMap(({ name, programs }) => {
    const unread = programs.filter(({ state }) => state !== 'live');
    if (unread.length === 0) return [];
    const [first] = unread;
    const why =
      first?.reason ?? (first?.state === 'reading' ? 'it is being read for the first time' : 'no reason is known');
    return [`${name} cannot be read (${why.replace(/\.$/, '')})`];
  });
}

/** State of a program as a word. */
export const programState: Readonly<Record<Program['state'], string>> = {
  live: 'live',
  reading: 'being read for the first time',
  old: 'not believed any more',
  failed: 'cannot be read',
};

/** Names of the programs. */
export const programName: Readonly<Record<Program['program'], string>> = {
  prometheus: 'Rules',
  alertmanager: 'Alertmanager',
};

/** Lines for plumbline.yaml where no source is configured. */
export const exampleSource = `alarms:
  - prometheus: http://prometheus:9090
    alertmanager: http://alertmanager:9093
    clusterLabel: cluster
    # or: clusters: [eu-west-3]`;
