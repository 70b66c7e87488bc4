import type { WireAlarmFigures } from '../api/alarm/report-alarms.ts';
import type { WireReport } from '../api/report.ts';
import { callsLooked } from '../domain/alarm/alarm-figures.ts';
import { formatDuration } from '../format/duration.ts';
import { countOf, formatCount } from '../format/number.ts';
import { absenceParts, noSourceRead, timeParts } from './clauses/alarm-clauses.ts';
import type { Piece, Text } from './document.ts';
import type { ReportLinks } from './links.ts';
import { writeLength, writeObjectTime } from './write-figure.ts';

type Told = Extract<WireAlarmFigures, { said: 'told' }>;

function plain(text: string): Piece {
  return { text };
}

function weighty(text: string, href: string): Piece {
  return { text, strong: true, href };
}

/** Where the time of each part is listed. */
function partLinks({ absencesCalled }: ReportLinks): Readonly<Record<'called' | 'silent' | 'unknown', string>> {
  return {
    called: absencesCalled('in-time', 'late', 'unknown'),
    silent: absencesCalled('late', 'never', 'unknown'),
    unknown: absencesCalled('in-time', 'late', 'unknown'),
  };
}

/** Pieces of a list: "a, b and c". */
function listed(parts: readonly (readonly Piece[])[]): Text {
  return parts.flatMap((part, index) => [
    ...(index === 0 ? [] : [plain(index === parts.length - 1 ? ' and ' : ', ')]),
    ...part,
  ]);
}

/** Said first where it is so: something was away past the deadline, and it is known that nobody was called. */
export function silentText({ figures: { alarms }, alarmWithinMs }: WireReport, links: ReportLinks): readonly Text[] {
  if (alarms.said !== 'told' || alarms.silentMs === 0) return [];
  const { late, never } = alarms.overdue;
  const counts = [
    { count: never, words: 'never called for', link: links.absencesCalled('never') },
    { count: late, words: 'called for late', link: links.absencesCalled('late') },
  ].filter(({ count }) => count > 0);
  const some = counts.map(({ count, words, link }, index) => [
    weighty(formatCount(count), link),
    plain(`${index > 0 ? '' : count === 1 ? ' absence' : ' absences'} ${wasOf(count)} ${words}`),
  ]);
  return [
    [
      plain('For '),
      weighty(writeObjectTime(alarms.silentMs), partLinks(links).silent),
      plain(` past the alarm deadline of ${formatDuration(alarmWithinMs)}, nobody was called`),
      ...(some.length === 0 ? [] : [plain('. '), ...listed(some)]),
      plain('.'),
    ],
  ];
}

function wasOf(count: number): string {
  return count === 1 ? 'was' : 'were';
}

/** Object time past the deadline, and for how much of it somebody was called. */
export function overdueText(report: WireReport, links: ReportLinks): Text {
  const { overdueMs, alarms } = report.figures;
  const deadline = formatDuration(report.alarmWithinMs);
  if (overdueMs === 0)
    return [plain(`Nothing was seen away for longer than ${deadline}: no alarm is known to have been due.`)];
  return [
    plain(`Away for longer than ${deadline}, when an alarm should sound: `),
    weighty(writeObjectTime(overdueMs), links.absences),
    ...(alarms.said === 'told'
      ? calledText(alarms, links)
      : [plain(`. Whether one did cannot be said: ${noSourceRead}.`)]),
  ];
}

function calledText(alarms: Told, links: ReportLinks): Text {
  const to = partLinks(links);
  const parts = timeParts(alarms);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return [plain(`, all of it ${only.words}.`)];
  return [
    plain(', '),
    ...listed(parts.map(({ part, ms, words }) => [weighty(writeObjectTime(ms), to[part]), plain(` ${words}`)])),
    plain('.'),
  ];
}

/** Absences by how somebody was called for them, how long that took, the calls, and the rules that called nobody. */
export function alarmText(report: WireReport, links: ReportLinks): readonly Text[] {
  const { alarms } = report.figures;
  if (alarms.said !== 'told') return [];
  return [
    [
      ...absencesText(alarms, links),
      ...toCallText(alarms),
      ...atMostText(alarms, links),
      ...callsText(alarms),
      ...rulesText(report),
    ],
    ...unlookedText(alarms),
  ];
}

/** Sources whose calls are not read, where there are any: why something is not known. */
function unlookedText({ unlooked }: Told): readonly Text[] {
  const [first, another] = unlooked;
  if (first === undefined) return [];
  const time = 'in the time of this report and of what was away in it';
  const most = `at most ${formatCount(callsLooked)} of all sources together`;
  if (another === undefined && first.calls !== null)
    return [
      [
        plain(`Source ${first.source} made ${countOf(first.calls, 'call')} ${time}; ${most} are read, those of the `),
        plain('loudest last. Who was called by it is not known.'),
      ],
    ];
  const names = unlooked
    .slice(0, sourcesNamed)
    .map(({ source, calls }) => [plain(calls === null ? source : `${source} (${countOf(calls, 'call')})`)]);
  const more = unlooked.length - names.length;
  return [
    [
      plain(another === undefined ? 'Source ' : 'Sources '),
      ...listed(more === 0 ? names : [...names, [plain(countOf(more, 'other'))]]),
      plain(` made more calls ${time} than are read, ${most}, those of the loudest last. `),
      plain(`Who was called by ${another === undefined ? 'it' : 'them'} is not known.`),
    ],
  ];
}

/** Sources that are named of those whose calls are not read. */
const sourcesNamed = 5;

function absencesText(alarms: Told, links: ReportLinks): Text {
  const parts = absenceParts(alarms);
  if (parts.length === 0) return [];
  const { inTime, late, never, unknown } = alarms.overdue;
  const total = inTime + late + never + unknown;
  return [
    plain(`Of ${countOf(total, 'absence')} past the deadline `),
    ...listed(
      parts.map(({ how, text, words }) => [
        weighty(text, links.absencesCalled(how)),
        plain(` ${text === '1' ? 'was' : 'were'} ${words}`),
      ]),
    ),
    plain('. '),
  ];
}

function toCallText({ toCall }: Told): Text {
  if (toCall.medianMs === null) return [];
  return [
    plain('Median time to alarm: '),
    weighty(writeLength(toCall.medianMs), '#figures'),
    plain(', 95 of 100 within '),
    weighty(writeLength(toCall.p95Ms), '#figures'),
    plain('. '),
  ];
}

/** Absences that are not in the times to alarm, though somebody was called for them. */
function atMostText({ toCallAtMost }: Told, { absencesCalled }: ReportLinks): Text {
  if (toCallAtMost === 0) return [];
  return [
    plain('Of '),
    weighty(formatCount(toCallAtMost), absencesCalled('in-time', 'late', 'unknown')),
    plain(
      ` ${toCallAtMost === 1 ? 'absence' : 'absences'} the time to alarm is not known exactly: somebody may have been called before the first call that is known. `,
    ),
  ];
}

function callsText({ calls, withoutAbsence }: Told): Text {
  if (calls === 0) return [plain('No call began in the period.')];
  return [
    weighty(formatCount(calls), '#alerts'),
    plain(calls === 1 ? ' call began in the period' : ' calls began in the period'),
    ...((withoutAbsence ?? 0) === 0
      ? []
      : [
          plain(', '),
          weighty(formatCount(withoutAbsence ?? 0), '#alerts'),
          plain(' of them for an object that was not away'),
        ]),
    plain('.'),
  ];
}

function rulesText({ rules }: WireReport): Text {
  if (rules === null || rules.loaded === 0) return [];
  const { loaded, calledNobodyTotal } = rules;
  const all = loaded === 1 ? 'The one rule' : `Of the ${formatCount(loaded)} rules`;
  const read = 'loaded now and read objects of the fleet';
  if (loaded === 1)
    return [
      plain(
        ` ${all} that is loaded now and reads objects of the fleet ${calledNobodyTotal === 1 ? 'called nobody' : 'called somebody'}.`,
      ),
    ];
  if (calledNobodyTotal === 0) return [plain(` ${all} that are ${read}, each called somebody.`)];
  return [
    plain(` ${all} that are ${read}, `),
    weighty(formatCount(calledNobodyTotal), '#rules'),
    plain(' called nobody.'),
  ];
}
