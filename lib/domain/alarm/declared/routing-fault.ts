import type { SourceBook } from '../book/source-book.ts';
import { alertLabels } from '../check/rule-calls.ts';
import { matchesAll } from '../check/route-check.ts';
import type { ReceiverFact, Route, RuleFact } from '../fact.ts';
import type { AlertmanagerConfigFact, Declared, DeclaredReceiver } from './declared.ts';
import { beyondMend, beyondText, type DeclaredFault, labelsText, mayLoad, someOf } from './declaring.ts';

/**
 * The fault of an AlertmanagerConfig whose route may take alerts on objects, and which no Alertmanager that may load it has as it is; null
 * where there is none, or none that is known.
 */
export function routingFault(
  books: readonly SourceBook[],
  object: Declared<AlertmanagerConfigFact>,
  now: number,
): DeclaredFault | null {
  const { fact } = object;
  const may = fact.receivers.length === 0 ? null : mayLoad(books, 'alertmanager', object, now);
  if (may === null || !mayTake(may, fact.route)) return null;
  const sources = may.map((book) => book.source().name);
  const said = fact.route === null ? noRoute() : ofReceivers({ may, books }, fact, fact.route, sources);
  if (said === null) return null;
  const title = `AlertmanagerConfig ${fact.namespace}/${fact.name}`;
  return { object, source: sources[0] ?? '', title, ...said, rule: null };
}

/** Most letters that are looked at for one object (`Looking`). */
const mostLetters = 200_000;

/** True if an alert on an object may come to a route; one without a route would take any. */
function mayTake(books: readonly SourceBook[], route: Route | null): boolean {
  const rules = books.flatMap((book): readonly (readonly [SourceBook, RuleFact])[] =>
    Array.from(book.rules.reading(), (rule) => [book, rule] as const),
  );
  const looking = { left: mostLetters };
  return rules.some(
    ([book, rule]) =>
      route === null ||
      matchesAll(route.matchers, alertLabels(rule, {}, book.source().attribution.label), looking) !== false,
  );
}

type Said = Pick<DeclaredFault, 'text' | 'mend'>;

function noRoute(): Said {
  return {
    text: 'declares receivers and no route: the operator takes none of them.',
    mend: 'Write spec.route, with the name of the receiver.',
  };
}

const reload =
  'What is loaded is older than the object: see alertmanager_config_last_reload_successful, and the logs of the operator and of the config-reloader.';

function ofReceivers(
  { may, books }: { readonly may: readonly SourceBook[]; readonly books: readonly SourceBook[] },
  { namespace, labels, receivers, lost }: AlertmanagerConfigFact,
  route: Route,
  sources: readonly string[],
): Said | null {
  const used = receiversIn(route);
  const wanted = receivers.filter(({ name }) => used.has(name));
  if (wanted.length === 0) return null;
  const loaded = may.flatMap((book) => [...book.receivers.values()]);
  const missing = wanted.filter((receiver) => !loaded.some((fact) => isOf(fact, receiver)));
  const has = `${someOf(sources)} ${sources.length === 1 ? 'has' : 'have'}`;
  const named = (of: readonly DeclaredReceiver[]): string => someOf(of.map(({ name }) => name));
  if (missing.length === wanted.length && books.some((book) => !may.includes(book) && hasAny(book, wanted)))
    return { text: `routes alerts to ${named(missing)}, and ${beyondText(has, 'it')}`, mend: beyondMend };
  if (missing.length === wanted.length && lost === 0)
    return {
      text: `routes alerts to ${named(missing)}, and ${has} loaded nothing of it.`,
      mend: `${labelsText(labels)} Compare them with spec.alertmanagerConfigSelector of the Alertmanager, and the labels of namespace ${namespace} with its spec.alertmanagerConfigNamespaceSelector: kubectl get alertmanagers --all-namespaces --output yaml. Where they fit, see the events of the object: the operator leaves out one whose Secret is not there.`,
    };
  if (missing.length > 0)
    return { text: `routes alerts to ${named(missing)}, and ${has} loaded a version of it without.`, mend: reload };
  const other = wanted.filter(
    (receiver) => !loaded.some((fact) => isOf(fact, receiver) && isSame(fact.calls, receiver.calls)),
  );
  if (other.length === 0) return null;
  return { text: `routes alerts to ${named(other)}, and ${has} it loaded with other integrations.`, mend: reload };
}

function receiversIn(route: Route): ReadonlySet<string> {
  return new Set([route.receiver, ...route.routes.flatMap((child) => [...receiversIn(child)])]);
}

function isOf({ name }: ReceiverFact, { loadedAs }: DeclaredReceiver): boolean {
  return loadedAs.includes(name);
}

function hasAny({ receivers }: SourceBook, wanted: readonly DeclaredReceiver[]): boolean {
  return [...receivers.values()].some((fact) => wanted.some((receiver) => isOf(fact, receiver)));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
