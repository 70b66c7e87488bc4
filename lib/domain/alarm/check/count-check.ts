import { isEvaluated } from '../book/well-rule.ts';
import type { RuleFact } from '../fact.ts';
import type { CheckedKind, CheckedSource } from './checked.ts';
import { callsOnce, countedVerdicts } from './own-count.ts';
import { callsOf } from './rule-calls.ts';

/**
 * Gap in the rules that count objects by what Plumbline says of them. stale: none that is loaded calls for what is stale, which no rule on what objects
 * say can find; once: a rule calls once for all of a kind on a cluster, and for what leaves git later nobody is called.
 */
export interface CountGap {
  readonly gap: 'stale' | 'once';
  /** The source and the rule; '' where there is none. */
  readonly source: string;
  readonly rule: string;
  /** A sentence. */
  readonly text: string;
  /** Its mend, a sentence. */
  readonly mend: string;
}

/** The mend of a rule that calls once. */
export const onceMend =
  'Load the one that plumbline rules writes (plumbline.yaml): it counts by the label since, so that what leaves git later is an alert of its own.';

/** Sentence on a rule that calls once. */
export function onceText(rule: string): string {
  return `Rule ${rule} has one alert for all of a kind on a cluster, and calls once: for what leaves git while it sounds nobody is called anew.`;
}

/** Gaps in the rules of all sources that count objects. Where a source cannot be read, or not whole, none is called missing. */
export function countGaps(
  sources: readonly CheckedSource[],
  kinds: readonly Pick<CheckedKind, 'cluster' | 'group' | 'kind'>[],
): readonly CountGap[] {
  const counting = sources
    .filter(({ believed }) => believed)
    .flatMap((source) =>
      source.facts.flatMap((fact) =>
        fact.type === 'rule' && countedVerdicts(fact).length > 0 ? [{ source, rule: fact }] : [],
      ),
    );
  const once = counting.filter(({ rule }) => callsOnce(rule));
  const gaps = once.map(({ source, rule }): CountGap => {
    return { gap: 'once', source: source.name, rule: rule.name, text: onceText(rule.name), mend: onceMend };
  });
  const finds = counting.some(
    ({ source, rule }) => countedVerdicts(rule).includes('stale') && calls(source, rule, kinds),
  );
  const isWhole = sources.length > 0 && sources.every(({ believed, cut }) => believed && !cut);
  return finds || !isWhole ? gaps : [...gaps, staleGap];
}

const staleGap: CountGap = {
  gap: 'stale',
  source: '',
  rule: '',
  text: 'No rule that is evaluated, and calls somebody, asks Plumbline for what is stale: when a loop stops its objects say what they said last, and no other rule finds that.',
  mend: 'Load plumbline.yaml of plumbline rules into the Prometheus that scrapes Plumbline, and name that under alarms.',
};

/** Where its alerts end is asked of one kind: their labels tell no more than that. What cannot be told counts as calling. */
function calls(source: CheckedSource, rule: RuleFact, [kind]: Parameters<typeof countGaps>[1]): boolean {
  if (!isEvaluated(rule, source.readAt)) return false;
  return kind === undefined || callsOf(source, kind).ofRule(rule) !== 'nobody';
}
