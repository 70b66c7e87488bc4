import type { Labels } from '#lib/domain/alarm/fact.ts';
import { objectLabels } from '#lib/domain/alarm/selector/scope.ts';
import { longestLabel, mostLabels } from '#lib/domain/pager/label.ts';
import { redacted } from '#lib/domain/observation/redaction/span.ts';
import { foreignLabel, foreignName, unkeptTextAt } from '#lib/foreign-words.ts';
import { objectAt } from '#lib/foreign.ts';
import { boundedMemo } from '#server/runtime/bounded-map.ts';

/** Reads the labels at a path: cleaned and bounded as pagers' labels are, sorted by name; what is empty or too long is none. */
export type LabelReader = (value: unknown, ...path: readonly string[]) => Labels;

/** The same few thousand labels come at every reading. */
const mostRemembered = 50_000;
const longestRemembered = 128;
const mostLabelNames = 1_000;
/** Most labels of which those that are kept are chosen. */
const mostSaid = 1_000;

/**
 * Makes a reader that remembers what it cleaned. Where there are more labels than are kept, those that name the alert, its cluster and its
 * object are kept before any other, so that the bound hides nothing that is judged by.
 */
export function createLabelReader(clusterLabel: string): LabelReader {
  const cleanName = boundedMemo(mostLabelNames, foreignName);
  const rememberedValue = boundedMemo(mostRemembered, foreignLabel);
  const cleanValue = (text: string): string =>
    text.length <= longestRemembered ? rememberedValue(text) : foreignLabel(text);
  const naming = new Set(['alertname', clusterLabel, ...objectLabels]);
  return (value, ...path) => {
    const said = objectAt(value, ...path);
    const names = Object.keys(said).filter((name) => name !== '' && name.length <= longestLabel);
    const { first = [], rest = [] } = Object.groupBy(names, (name) => (naming.has(name) ? 'first' : 'rest'));
    const found = new Map<string, string>();
    for (const name of [...first, ...rest.slice(0, mostSaid).sort(byText)]) {
      const text = unkeptTextAt(said, name) ?? '';
      if (text !== '' && text.length <= longestLabel && found.size < mostLabels)
        found.set(cleanName(name), isSecretLabel(name) ? redacted : cleanValue(text));
    }
    return Object.fromEntries([...found].sort(([a], [b]) => byText(a, b)));
  };
}

/** Names of labels whose value says nothing that a reader may know. One called `secret` names a Secret. */
const secretLabel = /passw(?:or)?d|passphrase|(?:^|_)(?:pwd|token|api_?key|auth|webhook(?:_url)?)$/i;

/** True if the value of a label of this name says nothing that a reader may know. */
export function isSecretLabel(name: string): boolean {
  return secretLabel.test(name);
}

/** The value of a label, cleaned; hidden where its name says that it is secret. */
export function labelValue(name: string, text: string): string {
  return isSecretLabel(name) ? redacted : foreignLabel(text);
}

/** Texts in one order, each once. */
export function sortedUnique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort(byText);
}

/** Orders texts by their UTF-16 units: the same everywhere. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
