import type { Labels, Matcher } from '#lib/domain/alarm/fact.ts';

/** One series as it was scraped last. Its value is 1, as that of all that tells of objects. */
export interface Series {
  readonly metric: string;
  /** All but `__name__`. */
  readonly labels: Labels;
}

/** A pattern as Prometheus has it: it matches whole values, over lines too. Throws where it is none. */
function wholePattern(pattern: string): RegExp {
  // Patterns are the language of selectors; nobody but our own rules and readings asks, and a query is bounded.
  // oxlint-disable-next-line plumbline/no-made-pattern
  return new RegExp(`^(?:${pattern})$`, 's');
}

function testOf({ operator, value }: Matcher): (found: string) => boolean {
  switch (operator) {
    case '=':
      return (found) => found === value;
    case '!=':
      return (found) => found !== value;
    case '=~': {
      const pattern = wholePattern(value);
      return (found) => pattern.test(found);
    }
    case '!~': {
      const pattern = wholePattern(value);
      return (found) => !pattern.test(found);
    }
  }
}

/** Test whether all matchers match; a label that is absent is empty. Throws a SyntaxError where a pattern is none. */
export function labelsTest(matchers: readonly Matcher[]): (labels: Labels) => boolean {
  const tests = matchers.map((matcher) => [matcher.name, testOf(matcher)] as const);
  return (labels) => tests.every(([name, test]) => test(labels[name] ?? ''));
}

/** The same of series, whose metric is the label `__name__`. */
export function seriesTest(matchers: readonly Matcher[]): (series: Series) => boolean {
  const onName = labelsTest(matchers.filter(({ name }) => name === '__name__'));
  const onLabels = labelsTest(matchers.filter(({ name }) => name !== '__name__'));
  return ({ metric, labels }) => onName({ __name__: metric }) && onLabels(labels);
}

/** True if matchers match what has no label at all: such a selector is refused. */
export function matchesNothing(matchers: readonly Matcher[]): boolean {
  return labelsTest(matchers)({});
}

/** Some labels of a series, where it has them. */
export function pick(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = labels[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/** One text for equal labels; the names sorted. */
export function labelsKey(labels: Labels): string {
  return Object.keys(labels)
    .sort()
    .map((name) => `${name}\u{ff}${labels[name] ?? ''}\u{ff}`)
    .join('');
}
