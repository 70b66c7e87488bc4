import type { Figure } from '../figure.ts';
import type { AlarmSpell, AlarmsResult } from './measure-alarms.ts';

/** Alarms are read each 15 s, and a reading may take a little. */
const readingBar = 20_000;

/** Figures of alarms in the running product. */
export function alarmFigures({
  away,
  silent,
  alerts,
  objectsAfter,
  chainTook,
  chainCpu,
  well,
  sick,
}: AlarmsResult): readonly Figure[] {
  const area = `Alarms: ${away.toLocaleString('en')} objects away, ${alerts.toLocaleString('en')} alerts`;
  return [
    { area, name: 'objects that are silent', value: silent, unit: 'count', bar: null },
    { area, name: 'web started to all objects', value: objectsAfter, unit: 'ms', bar: null },
    {
      area,
      name: 'from the first page to the chain of each',
      value: chainTook,
      unit: 'ms',
      bar: { most: 2_000 },
    },
    { area, name: 'CPU of web for that', value: chainCpu, unit: 'CPU s', bar: null },
    ...spellFigures(area, 'all sources well', well),
    ...spellFigures(area, 'two sources sick', sick),
  ];
}

function spellFigures(
  area: string,
  when: string,
  { betweenReadings, page, probe, collector, web }: AlarmSpell,
): readonly Figure[] {
  return [
    {
      area,
      name: `${when}: between two readings, at most`,
      value: betweenReadings,
      unit: 'ms',
      bar: { most: readingBar },
    },
    { area, name: `${when}: page of alarms, p50`, value: page.p50, unit: 'ms', bar: null },
    { area, name: `${when}: page of alarms, p99`, value: page.p99, unit: 'ms', bar: null },
    { area, name: `${when}: a probe of web, p99`, value: probe.p99, unit: 'ms', bar: null },
    { area, name: `${when}: a probe of web, most`, value: probe.most, unit: 'ms', bar: null },
    { area, name: `${when}: collector`, value: collector.cores, unit: 'cores', bar: null },
    { area, name: `${when}: collector, most resident`, value: collector.mostResident, unit: 'bytes', bar: null },
    { area, name: `${when}: web`, value: web.cores, unit: 'cores', bar: null },
    { area, name: `${when}: web, most resident`, value: web.mostResident, unit: 'bytes', bar: null },
  ];
}
