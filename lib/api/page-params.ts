import { z } from 'zod';
import { AlarmsQuery } from './alarm/alarms.ts';
import { CommitsQuery, FateState } from './commit.ts';
import { CompareQuery } from './git/compare.ts';
import { parseMoment } from '../format/moment.ts';
import { ConflictFilter } from './conflict.ts';
import { CorrectionFilter } from './correction.ts';
import { ExemptionFilter } from './exemption.ts';
import { FleetQuery } from './fleet.ts';
import { AbsenceFilter } from './absence.ts';
import { IncidentFilter } from './incident.ts';
import { ObjectFilter } from './object-filter.ts';
import { periodShape, recordShape, searchText } from './params.ts';
import { ArrivalsQuery, ReportQuery, SpansQuery } from './report.ts';

/** A parameter of an address that a page does not take, or not with this value; `message` says why. */
export interface UnreadParam {
  readonly name: string;
  readonly value: string;
  readonly message: string;
}

type Shape = Readonly<Record<string, z.ZodType>>;

const anyText = z.string();
/** The page says itself what is wrong with a moment. */
const at = { at: anyText };
const moment = z.string().refine((text) => text === '' || parseMoment(text) !== null, {
  error: 'must be a time as in RFC 3339, or ms',
});
const changes = { cluster: anyText, last: periodShape.last, from: moment, to: moment };
const ownPeriod = { last: periodShape.last, from: periodShape.from, to: periodShape.to };

/** Parameters of every page. */
const everywhere: Shape = { theme: z.enum(['light', 'dark']) };

/** Parameters of each page beside those, by its path. */
const pages: readonly (readonly [RegExp, Shape])[] = [
  [/^\/$/, { ...FleetQuery.shape, causes: z.enum(['all']), view: z.enum(['wall']), colour: z.enum(['commit']), ...at }],
  [/^\/objects$/, { ...ObjectFilter.omit({ limit: true, cursor: true, suspects: true, format: true }).shape, ...at }],
  [/^\/alarms$/, { ...AlarmsQuery.omit({ limit: true, format: true }).shape, ...at }],
  [/^\/history$/, { ...recordShape, ...ownPeriod, table: z.enum(['1']) }],
  [/^\/incidents$/, { ...IncidentFilter.omit({ limit: true, cursor: true, format: true }).shape, ...at }],
  [/^\/incidents\/[^/]+$/, { ...at }],
  [/^\/absences$/, AbsenceFilter.omit({ limit: true, cursor: true, format: true }).shape],
  [/^\/corrections$/, CorrectionFilter.omit({ limit: true, cursor: true, format: true }).shape],
  [/^\/changes$/, changes],
  [
    /^\/exemptions$/,
    {
      ...ExemptionFilter.omit({ limit: true, cursor: true, format: true }).shape,
      conflict: ConflictFilter.shape.conflict,
      tab: z.enum(['exemptions', 'conflicts']),
    },
  ],
  [/^\/compare$/, CompareQuery.shape],
  [/^\/commits$/, { ...CommitsQuery.omit({ limit: true, after: true }).shape, ...at }],
  [/^\/commits\/[^/]+$/, { worst: FateState, state: FateState, environment: anyText, all: z.enum(['true']), ...at }],
  [/^\/access$/, {}],
  [/^\/reports$/, ReportQuery.shape],
  [/^\/reports\/spans$/, SpansQuery.shape],
  [/^\/reports\/arrivals$/, ArrivalsQuery.shape],
  [
    /^\/clusters\/[^/]+$/,
    {
      verdict: ObjectFilter.shape.verdict,
      kind: anyText,
      namespace: anyText,
      q: searchText,
      all: z.enum(['true', 'false']),
      ...ownPeriod,
      ...at,
    },
  ],
  [/^\/clusters\/[^/]+(?:\/[^/]+){4}$/, { ...ownPeriod, ...at }],
];

/** A page whose parameters are the labels of an alert: any name is one, and it says itself what it cannot read. */
const ofLabels = /^\/go$/;

/** Parameters of an address that its page does not take and leaves out; [] for a path that is no page. */
export function unreadParams(path: string, query: URLSearchParams): readonly UnreadParam[] {
  const takesAny = ofLabels.test(path);
  const own = takesAny ? {} : pages.find(([pattern]) => pattern.test(path))?.[1];
  if (own === undefined) return [];
  const shape: Shape = { ...everywhere, ...own };
  return [...new Set(query.keys())].flatMap((name) => {
    const [value = '', ...more] = query.getAll(name);
    // By names of what every object has, such as "constructor", there is no type.
    const type = Object.hasOwn(shape, name) ? shape[name] : takesAny ? anyText : undefined;
    const message = more.length > 0 ? 'is given twice' : problemOf(type, value);
    return message === null ? [] : [{ name, value, message }];
  });
}

function problemOf(type: z.ZodType | undefined, value: string): string | null {
  if (type === undefined) return 'is no parameter of this page';
  const read = type.safeParse(value);
  return read.success ? null : (read.error.issues[0]?.message ?? 'cannot be read');
}
