import { receiverKey } from '../book/notice.ts';
import type { SourceBook } from '../book/source-book.ts';
import { alertLabels } from '../check/rule-calls.ts';
import { watchesAbsence } from '../check/rule-condition.ts';
import type { Looking } from '../check/plain-pattern.ts';
import { type LabelOf, matchesAll, reachedReceivers } from '../check/route-check.ts';
import type { Matcher, Route } from '../fact.ts';
import type { AlarmFinding } from '../finding.ts';

/** A route of an AlertmanagerConfig that takes an alert but for the matcher on namespace that the Prometheus operator added. */
export interface NamespaceRoute {
  /** As the Alertmanager has it: "<namespace>/<name>/<receiver>". */
  readonly receiver: string;
  readonly namespace: string;
}

/** Mend of a route that takes no alert but those of its own namespace. */
export const namespaceMend =
  'Set spec.alertmanagerConfigMatcherStrategy.type of the Alertmanager to None, or to OnNamespaceExceptForAlertmanagerNamespace with the AlertmanagerConfig in its namespace; or let the rule give its alerts that label.';

/**
 * The first route of an AlertmanagerConfig that would take an alert with these labels and call somebody, if the operator had not added the matcher
 * namespace="<namespace of the object>"; null where there is none, or none that is known.
 */
export function namespaceRoute(book: SourceBook, labelOf: LabelOf, looking?: Looking): NamespaceRoute | null {
  const value = labelOf('namespace');
  if (value === null) return null;
  for (const { key, root } of book.routings.values())
    for (const child of root.routes) {
      const namespace = namespaceOf(child);
      const added = child.matchers.find((matcher) => isAdded(matcher, namespace));
      if (added === undefined || value === namespace) continue;
      if (matchesAll(without(child, added).matchers, labelOf, looking) !== true) continue;
      const reached = reachedReceivers({ ...child, matchers: [] }, labelOf, looking) ?? [];
      const calls = [...reached].some((name) => (book.receivers.get(receiverKey(key, name))?.calls.length ?? 0) > 0);
      if (calls) return { receiver: child.receiver, namespace };
    }
  return null;
}

/** The operator calls receivers "<namespace>/<name>/<receiver>"; '' for a route that it did not make. */
function namespaceOf({ receiver }: Route): string {
  const parts = receiver.split('/');
  return parts.length < 3 ? '' : (parts[0] ?? '');
}

function isAdded({ name, operator, value }: Matcher, namespace: string): boolean {
  return name === 'namespace' && operator === '=' && value === namespace && namespace !== '';
}

function without(route: Route, matcher: Matcher): Route {
  return { ...route, matchers: route.matchers.filter((one) => one !== matcher) };
}

/** Most letters that are looked at for all rules of a source (`Looking`): some 0.1 s. */
const mostLetters = 10_000_000;

/** Rules whose alerts call nobody, and would by a route of an AlertmanagerConfig that the operator narrowed to its namespace. */
export function narrowedRoutes(book: SourceBook): readonly AlarmFinding[] {
  const { name: source, attribution } = book.source();
  const looking = { left: mostLetters };
  return [...book.rules.reading()].flatMap((rule): readonly AlarmFinding[] => {
    if (watchesAbsence(rule)) return [];
    const labelOf = alertLabels(rule, {}, attribution.label);
    if (callsAnybody(book, labelOf, looking) !== false) return [];
    const route = namespaceRoute(book, labelOf, looking);
    if (route === null) return [];
    const text = `Its alerts call nobody: the route to ${route.receiver} takes those with namespace="${route.namespace}" alone, and they have no such label.`;
    const about = { type: 'not-routed', source, title: rule.name, rule: rule.name, alert: rule.name } as const;
    return [{ ...about, text, mend: namespaceMend, at: null, objects: null }];
  });
}

/** True if an alert with these labels calls somebody; null where that cannot be told. */
function callsAnybody(book: SourceBook, labelOf: LabelOf, looking: Looking): boolean | null {
  let isKnown = book.routings.size > 0;
  for (const { key, root } of book.routings.values()) {
    const reached = reachedReceivers(root, labelOf, looking);
    if (reached === null) isKnown = false;
    for (const name of reached ?? []) {
      const receiver = book.receivers.get(receiverKey(key, name));
      if (receiver === undefined) isKnown = false;
      else if (receiver.calls.length > 0) return true;
    }
  }
  return isKnown ? false : null;
}
