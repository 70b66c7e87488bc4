import { kindKey, type ObjectRef } from '../../observation/ref.ts';
import type { SourceSet } from '../book/source-set.ts';
import type { SourceBook } from '../book/source-book.ts';
import type { AlarmReach } from '../finding.ts';
import { bestReach, kindReach, wellRules, type KindReach, type WellRules } from './object-reach.ts';

/** What is prepared for the objects of a cluster, by kind, while its stamp stands. */
interface Prepared {
  readonly stamp: number;
  readonly kinds: Map<string, readonly KindReach[]>;
}

/**
 * How far the chains of objects get, asked object by object: rules, receivers and routes are gone through once for each kind on a cluster, until
 * something else is told of it.
 */
export function reachKeeper({ covering, stamp }: Pick<SourceSet, 'covering' | 'stamp'>) {
  const clusters = new Map<string, Prepared>();
  /** Rules that are well do not hang on the cluster: they are looked for once a question. */
  let asked: { readonly now: number; readonly rules: Map<SourceBook, WellRules> } | null = null;

  function rulesAt(book: SourceBook, now: number): WellRules {
    if (asked?.now !== now) asked = { now, rules: new Map() };
    const rules = asked.rules.get(book) ?? wellRules(book, now);
    asked.rules.set(book, rules);
    return rules;
  }

  function prepared(ref: ObjectRef, now: number): readonly KindReach[] {
    const present = stamp(ref.cluster, now);
    const kept = clusters.get(ref.cluster);
    const { kinds } = kept?.stamp === present ? kept : { kinds: new Map<string, readonly KindReach[]>() };
    if (kept?.kinds !== kinds) clusters.set(ref.cluster, { stamp: present, kinds });
    const key = kindKey(ref);
    const known = kinds.get(key);
    if (known !== undefined) return known;
    const made = covering(ref.cluster).map((book) => kindReach(rulesAt(book, now), ref));
    kinds.set(key, made);
    return made;
  }

  return {
    /** That of an object at `now` (ms), by all sources that cover its cluster. */
    reachOf: ({ ref }: { readonly ref: ObjectRef }, now: number): AlarmReach =>
      bestReach(prepared(ref, now).map((reach) => reach.of(ref))),
    /** To be called whenever sources tell anything. */
    told: () => void (asked = null),
    /** Lets go of what was prepared. */
    clear(): void {
      clusters.clear();
      asked = null;
    },
  };
}
