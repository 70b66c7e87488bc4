import type { StripSpan } from '#lib/draw/strip.ts';
import { verdictWord } from '#lib/format/verdict-word.ts';

/** The state of a span as a word: a verdict, "Not there", "Not recorded". */
export function stateWord(state: StripSpan['state']): string {
  if (state === 'absent') return 'Not there';
  return state === 'not-recorded' ? 'Not recorded' : verdictWord(state);
}
