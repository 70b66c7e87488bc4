import type { Condition, Fault, SettledSummary, StatusSummary } from '#lib/domain/observation/observation.ts';

type Said = Pick<Condition, 'reason' | 'message'>;

/** A settled summary of what is as it should be, in the words of a condition. */
export function good({ reason, message }: Said): SettledSummary {
  return { said: 'good', reason, message };
}

/** A settled summary of what is not, in the words of a condition. `terminal`: its reconciler has given up. */
export function bad(fault: Fault, { reason, message }: Said, terminal = false): SettledSummary {
  return { said: 'bad', fault, reason, message, terminal };
}

/** The summary in the middle of a pass, in the words of a condition where there is one; `before`: the last settled one. */
export function busy(said: Said | null, before: SettledSummary | null = null): StatusSummary {
  return { said: 'busy', reason: said?.reason ?? '', message: said?.message ?? '', before };
}
