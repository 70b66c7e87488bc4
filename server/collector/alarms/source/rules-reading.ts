import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import { countedVerdicts } from '#lib/domain/alarm/check/own-count.ts';

type Facts = readonly (readonly AlarmFact[])[];

/**
 * Tells whether a rule of some name reads objects of reconcilers: true if any of that name does, null where there is none, or one whose expression could
 * not be taken apart. `factsOf` gives all that a program tells: of rules the same list while they are the same.
 */
export function rulesReading(factsOf: () => Facts): (alert: string) => boolean | null {
  let looked: Facts = [];
  let known: ReadonlyMap<string, boolean | null> = new Map();

  return (alert) => {
    const facts = factsOf().filter(([first]) => first?.type === 'rule');
    if (facts.length !== looked.length || facts.some((list, place) => list !== looked[place])) {
      looked = facts;
      known = readingByName(facts);
    }
    return known.get(alert) ?? null;
  };
}

function readingByName(facts: Facts): ReadonlyMap<string, boolean | null> {
  const found = new Map<string, boolean | null>();
  for (const fact of facts.flat()) {
    if (fact.type !== 'rule') continue;
    const reads = fact.selectors === null ? null : fact.selectors.length > 0 || countedVerdicts(fact).length > 0;
    const before = found.get(fact.name);
    if (before === undefined || reads === true || (reads === null && before === false)) found.set(fact.name, reads);
  }
  return found;
}
