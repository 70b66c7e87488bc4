import type { WireAlarmFigures } from '#lib/api/alarm/report-alarms.ts';
import type { WireReport } from '#lib/api/report.ts';
import type { Row, Summary } from './report-row.ts';

type Told = Extract<WireAlarmFigures, { said: 'told' }>;

/** A figure of alarms: empty where it cannot be said, with the reason as its note. */
function told(figure: string, unit: Row['unit'], read: (alarms: Told) => number | null): Summary {
  return [
    figure,
    unit,
    ({ alarms }) => (alarms.said === 'told' ? read(alarms) : null),
    undefined,
    ({ alarms }) => (alarms.said === 'told' ? null : alarms.why),
  ];
}

const overdue = 'object time past the alarm deadline';
const absences = 'absences past the alarm deadline';

/** Figures of a period about who was called. */
export const alarmSummary: readonly Summary[] = [
  told(`${overdue}, somebody called`, 'object-ms', ({ calledMs }) => calledMs),
  told(`${overdue}, nobody called`, 'object-ms', ({ silentMs }) => silentMs),
  told(`${overdue}, not known if anybody was called`, 'object-ms', ({ unknownMs }) => unknownMs),
  told(`${absences}, called in time`, 'count', ({ overdue: { inTime } }) => inTime),
  told(`${absences}, called late`, 'count', ({ overdue: { late } }) => late),
  told(`${absences}, never called`, 'count', ({ overdue: { never } }) => never),
  told(`${absences}, not known if called`, 'count', ({ overdue: { unknown } }) => unknown),
  told('times to alarm', 'count', ({ toCall }) => toCall.count),
  told('time to alarm, median', 'ms', ({ toCall }) => toCall.medianMs),
  told('time to alarm, 95 of 100', 'ms', ({ toCall }) => toCall.p95Ms),
  told('times to alarm not known exactly', 'count', ({ toCallAtMost }) => toCallAtMost),
  told('calls', 'count', ({ calls }) => calls),
  told('calls without an absence', 'count', ({ withoutAbsence }) => withoutAbsence),
  told('alerts that called', 'count', ({ alertsTotal }) => alertsTotal),
];

/** Alerts that called, each with when it did last; its source is the note. */
export function alertLines({ figures: { alarms } }: WireReport): readonly Row[] {
  if (alarms.said !== 'told') return [];
  return alarms.alerts.map(({ source, alert, calls, lastAt }) => ({
    section: 'alert',
    ref: { name: alert },
    at: lastAt,
    figure: 'calls of the alert',
    value: calls,
    unit: 'count',
    note: source,
  }));
}

/** Sources whose calls are not read, and how many these are. */
export function unlookedLines({ figures: { alarms } }: WireReport): readonly Row[] {
  if (alarms.said !== 'told') return [];
  return alarms.unlooked.map(({ source, calls }) => ({
    section: 'source not read',
    ref: { name: source },
    figure: 'calls that are not read',
    value: calls,
    unit: 'count',
  }));
}

/** Rules that are loaded now, and those of them that called nobody, each with when it fired last. */
export function ruleLines({ rules }: WireReport): readonly Row[] {
  if (rules === null) return [];
  const unread = rules.unread.length === 0 ? null : `not known of ${rules.unread.join(', ')}`;
  const count = (figure: string, value: number, note: string | null): Row => ({
    section: 'rules',
    figure,
    value,
    unit: 'count',
    note,
  });
  return [
    count('rules loaded now that read objects', rules.loaded, unread),
    count('rules loaded now that called nobody', rules.calledNobodyTotal, unread),
    ...rules.calledNobody.map(({ source, rule, firedAt }): Row => ({
      section: 'rule that called nobody',
      ref: { name: rule },
      at: firedAt,
      figure: 'calls of the rule',
      value: 0,
      unit: 'count',
      note: source,
    })),
  ];
}
