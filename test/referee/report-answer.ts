import { z } from 'zod';
import { Certainties, Figures } from './figures.ts';
import { ToldIncident } from './incidents.ts';
import { Application, Wall } from './wall-clock.ts';
import { Amounts, Moment, MomentOrNull, WireRef } from './wire.ts';

const Cut = z.object({ from: Moment, to: Moment, recordedMs: z.number(), ofMs: z.number() });

/** A report, as far as it is counted again. */
export const ReportAnswer = z.object({
  period: Cut,
  recordedSince: MomentOrNull,
  figures: Figures,
  before: Cut.extend({ figures: Figures }).nullable(),
  days: z.array(z.object({ day: Moment, shares: Amounts, corrections: Certainties })),
  clusters: z.array(z.object({ cluster: z.string(), shares: Amounts, wall: Wall })).transform(byName),
  applications: z.array(Application),
  kinds: z.array(z.object({ group: z.string(), kind: z.string(), shares: Amounts })).transform(byName),
  distribution: z.array(z.object({ fromMs: z.number(), toMs: z.number().nullable(), count: z.number() })),
  incidents: z.object({ longest: z.array(ToldIncident), worst: z.array(ToldIncident) }),
  offenders: z.array(
    z.object({ ref: WireRef, shares: Amounts, awayMs: z.number(), absences: z.number(), corrections: z.number() }),
  ),
  suspensions: z.object({
    longest: z.array(
      z.object({ ref: WireRef, by: z.string().nullable(), from: Moment, to: MomentOrNull, observedMs: z.number() }),
    ),
    byWhom: z
      .array(z.object({ by: z.string().nullable(), observedMs: z.number(), count: z.number() }))
      .transform(byHand),
  }),
  notSeen: z.array(z.object({ cluster: z.string(), unobservedMs: z.number() })),
});
export type ReportAnswer = z.infer<typeof ReportAnswer>;

const Suspected = z.array(z.object({ id: z.string(), suspect: z.object({ type: z.string() }).nullable() }));

/** Suspects of the incidents of a report, where there is no git to ask: none has a commit. */
export const SuspectAnswer = z.object({ incidents: z.object({ longest: Suspected, worst: Suspected }) });
export type SuspectAnswer = z.infer<typeof SuspectAnswer>;

/** Rows in the order of their JSON, so that two answers compare. */
export function byName<Row extends object>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function byHand<Row extends { readonly by: string | null }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (String(a.by) < String(b.by) ? -1 : 1));
}
