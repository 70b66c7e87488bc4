import { z } from 'zod';
import { Time } from '../object.ts';

/** Milliseconds. */
const Ms = z.number();

/** Durations in short; null where there is none. */
export const WireSpread = z.object({ count: z.number(), medianMs: Ms.nullable(), p95Ms: Ms.nullable() });

/** Alerts that a report names, and rules. */
export const alertsNamed = 100;

/** Who was called for what was away. Cannot be said where no alarm source that speaks for the scope was read at any time of the period. */
export const WireAlarmFigures = z.discriminatedUnion('said', [
  z.object({ said: z.literal('cannot-be-said'), why: z.literal('no-source-read') }),
  z.object({
    said: z.literal('told'),
    /** `overdueMs` in three parts: somebody was called, nobody was, or that is not known. */
    calledMs: Ms,
    silentMs: Ms,
    unknownMs: Ms,
    /** Absences that were overdue at some time in the period, by what is known of calls up to its end. */
    overdue: z.object({ inTime: z.number(), late: z.number(), never: z.number(), unknown: z.number() }),
    /** From leaving git to the first call: of absences that began in the period, with an exact beginning, where nobody can have been called before. */
    toCall: WireSpread,
    /** Number of the others of these: only the most that it took is known, and they are not in `toCall`. */
    toCallAtMost: z.number(),
    /**
     * Calls that began in the period, and those of them that name an object which was seen all the time and never away; null where calls of a
     * source are not looked at.
     */
    calls: z.number(),
    withoutAbsence: z.number().nullable(),
    /** Alerts that called, most calls first: at most 100 of `alertsTotal`. */
    alerts: z.array(z.object({ source: z.string(), alert: z.string(), calls: z.number(), lastAt: Time })),
    alertsTotal: z.number(),
    /**
     * Sources that made so many calls, from the first of the absences on, that none of these is looked at: what rests on them is unknown, and what rests
     * on others is not. `calls` is null for who does not see the whole fleet.
     */
    unlooked: z.array(z.object({ source: z.string(), calls: z.number().nullable() })),
  }),
]);
export type WireAlarmFigures = z.infer<typeof WireAlarmFigures>;

/** Rules that are loaded as the report is made and read objects of the fleet, and those of them that called nobody in the period. */
export const WireLoadedRules = z.object({
  loaded: z.number(),
  /** `firedAt`: when an alert of it fired last, as far as Plumbline saw; null for never. At most 100 of `calledNobodyTotal`. */
  calledNobody: z.array(z.object({ source: z.string(), rule: z.string(), firedAt: Time.nullable() })),
  calledNobodyTotal: z.number(),
  /** Sources whose rules are not known as the report is made. */
  unread: z.array(z.string()),
});
export type WireLoadedRules = z.infer<typeof WireLoadedRules>;
