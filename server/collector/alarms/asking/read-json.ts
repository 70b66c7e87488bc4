import { refuseShape } from '../../clusters/parsing/json-shape.ts';
import type { Asked } from './asked.ts';

/** Most objects, lists and commas of an answer: 50,000 alerts with 20 labels and annotations each have some 1,500,000. */
const mostValues = 2_500_000;

/** The JSON in a text; a sentence where it is none, or would take too long to parse. */
export function readJson(text: string): Asked {
  const refused = refuseShape(text, mostValues);
  if (refused !== null)
    return { type: 'failed', reason: 'Its answer is JSON that is nested too deeply, or holds too many values.' };
  try {
    const body: unknown = JSON.parse(text);
    return { type: 'ok', body };
  } catch {
    const isPage = /^\s*</.test(text.slice(0, 100));
    return {
      type: 'failed',
      reason: isPage ? 'Its answer is a page, and no JSON: is its address right?' : 'Its answer is no JSON.',
    };
  }
}
