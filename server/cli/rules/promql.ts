import type { Matcher } from '#lib/domain/alarm/fact.ts';

/**
 * A text as a string of PromQL, whatever it holds: PromQL takes the escapes of Go, which JSON's are. What is not plain ASCII is written as its number, so
 * that no terminal or editor shows it as something else.
 */
export function promString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[^ -~]/gu, (letter) => {
    const number = (letter.codePointAt(0) ?? 0).toString(16);
    return number.length > 4 ? `\\U${number.padStart(8, '0')}` : `\\u${number.padStart(4, '0')}`;
  });
}

/** A text as a pattern (RE2) that only this text matches. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A selector of series. */
export function selectorText(metric: string, matchers: readonly Matcher[]): string {
  const inside = matchers.map(({ name, operator, value }) => `${name}${operator}${promString(value)}`);
  return inside.length === 0 ? metric : `${metric}{${inside.join(',')}}`;
}

/** A duration (ms, whole seconds) as Prometheus writes it: 12m30s. */
export function promDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const units: readonly (readonly [string, number])[] = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
    ['s', 1],
  ];
  let left = seconds;
  let text = '';
  for (const [unit, length] of units) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === '' ? '0s' : text;
}
