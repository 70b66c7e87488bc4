import { alarmsPath } from '../api/paths.ts';
import type { WireReport } from '../api/report.ts';
import { lastMoment } from '../domain/time/report-period.ts';
import { countOf, formatCount } from '../format/number.ts';
import { shortTime } from '../format/time.ts';
import { figureColumns, sectionOf, type DocumentSection } from './document.ts';

/** Alerts that called and rules that called nobody; none of it where no alarm source was read. */
export function alarmSections(report: WireReport): readonly DocumentSection[] {
  return [...alertSection(report), ...ruleSection(report)];
}

function alertSection({ figures: { alarms }, period }: WireReport): readonly DocumentSection[] {
  if (alarms.said !== 'told') return [];
  const { alerts, alertsTotal, withoutAbsence } = alarms;
  const shown = alerts.slice(0, mostShown);
  const [more, last] = [alertsTotal - shown.length, lastMoment(period)];
  const apart =
    (withoutAbsence ?? 0) === 0 ? '' : `; ${formatCount(withoutAbsence ?? 0)} for an object that was not away`;
  return [
    sectionOf({
      id: 'alerts',
      title: 'Alerts that called',
      note: `${countOf(alarms.calls, 'call')} that began in the period${apart}`,
      columns: [{ title: 'Alert' }, { title: 'Source' }, ...figureColumns('Calls'), { title: 'The last (UTC)' }],
      rows: shown.map(({ alert, source, calls, lastAt }) => [
        { text: alert },
        { text: source, href: alarmsPath({ source }) },
        { text: formatCount(calls) },
        { text: shortTime(Date.parse(lastAt), last) },
      ]),
      none: 'None did.',
      more: { text: more > 0 ? `and ${countOf(more, 'more alert')}` : '' },
    }),
  ];
}

/** Most alerts, and most rules, that stand on paper. */
const mostShown = 20;

function ruleSection({ rules, asOf }: WireReport): readonly DocumentSection[] {
  if (rules === null) return [];
  const { loaded, calledNobody, calledNobodyTotal, unread } = rules;
  const shown = calledNobody.slice(0, mostShown);
  const more = calledNobodyTotal - shown.length;
  const notKnown = unread.length === 0 ? '' : `; not known of ${unread.join(', ')}`;
  return [
    sectionOf({
      id: 'rules',
      title: 'Rules that called nobody',
      note: `of the ${countOf(loaded, 'rule')} that ${loaded === 1 ? 'is' : 'are'} loaded now and ${loaded === 1 ? 'reads' : 'read'} objects of the fleet, as far as their calls were read${notKnown}`,
      columns: [{ title: 'Rule' }, { title: 'Source' }, { title: 'Fired last (UTC)' }],
      rows: shown.map(({ rule, source, firedAt }) => [
        { text: rule },
        { text: source, href: alarmsPath({ source }) },
        { text: firedAt === null ? 'never seen to fire' : shortTime(Date.parse(firedAt), Date.parse(asOf)) },
      ]),
      none: loaded === 0 ? 'None is loaded that reads any.' : 'Each called somebody.',
      more: { text: more > 0 ? `and ${countOf(more, 'more rule')}` : '' },
    }),
  ];
}
