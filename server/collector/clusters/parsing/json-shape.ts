import { formatCount } from '#lib/format/number.ts';
import { type Failure, failure } from '../answer.ts';

/** JSON is parsed in one go on the thread of all clusters: what is shorter than this is parsed at once. */
export const smallJson = 256_000;

/** Kubernetes nests some 15 deep; a definition with schemas of its own some 60. */
const deepest = 100;

/**
 * Bound of an answer: its objects, lists and commas together. The densest objects that were recorded (mostly managedFields) have one in 13
 * bytes, and so the largest answer that is read, 8 MB, has some 600,000. Parsing takes up to 2 s for 8 MB of nothing else.
 */
export const answerValues = 1_000_000;

/** A line bears one object: etcd holds 1.5 MB of it, which has some 115,000. */
export const lineValues = 300_000;

/** Parsing it in vain would only cost everybody's time again: it is not asked for again at once (ms). */
const askedAgainAfter = 30_000;

/** Why a long text is not parsed: what it holds would take too long. Null where it may be, well formed or not. */
export function refuseShape(text: string, valuesAtMost: number): Failure | null {
  if (text.length <= smallJson) return null;
  let depth = 0;
  let values = 0;
  for (let place = 0; place < text.length; place += 1) {
    switch (text.charCodeAt(place)) {
      case quote:
        place = endOfString(text, place + 1);
        break;
      case openBrace:
      case openBracket:
        values += 1;
        depth += 1;
        if (depth > deepest) return refusal(`nested more than ${deepest} deep`);
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      case comma:
        values += 1;
        break;
    }
    if (values > valuesAtMost) return refusal(`of more than ${formatCount(valuesAtMost)} values`);
  }
  return null;
}

/** The place of the quote that ends a string; the end of the text where none does. */
function endOfString(text: string, from: number): number {
  for (let place = from; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === quote) return place;
    if (code === backslash) place += 1;
  }
  return text.length;
}

function refusal(what: string): Failure {
  return failure({ type: 'protocol', message: `the server sent JSON ${what}` }, askedAgainAfter);
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
