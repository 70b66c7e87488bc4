import type { Alarming } from '../alarming/fact.ts';
import type { SourceBook } from '../book/source-book.ts';
import type { AlarmFinding } from '../finding.ts';
import type { AlertmanagerConfigFact, Declared, DeclaredRule, PrometheusRuleFact } from './declared.ts';
import { beyondMend, beyondText, type DeclaredFault, labelsText, mayLoad, someOf } from './declaring.ts';
import { bestStanding, ruleIndex, type RuleIndex, type RuleStanding } from './rule-index.ts';
import { routingFault } from './routing-fault.ts';

/** Rules and routes that clusters declare to the Prometheus operator. */
export interface Declarations {
  readonly rules: readonly Declared<PrometheusRuleFact>[];
  readonly routings: readonly Declared<AlertmanagerConfigFact>[];
}

/** The rules and routes among all that clusters say of who is called. */
export function declarationsOf(
  clusters: readonly { readonly name: string; readonly alarming: Alarming | null }[],
): Declarations {
  const rules: Declared<PrometheusRuleFact>[] = [];
  const routings: Declared<AlertmanagerConfigFact>[] = [];
  for (const { name: cluster, alarming } of clusters)
    for (const fact of alarming?.facts ?? [])
      if (fact.type === 'prometheus-rule') rules.push({ cluster, fact });
      else if (fact.type === 'alertmanager-config') routings.push({ cluster, fact });
  return { rules, routings };
}

/** Rules and routes that are declared on clusters, and that no program which may load them has loaded as they are, or is known to have. */
export function notLoaded(
  books: readonly SourceBook[],
  { rules, routings }: Declarations,
  now: number,
): readonly AlarmFinding[] {
  const indexes = new Map<SourceBook, RuleIndex>();
  const indexOf = (book: SourceBook): RuleIndex => {
    const index = indexes.get(book) ?? ruleIndex(book);
    indexes.set(book, index);
    return index;
  };
  const faults = [
    ...rules.flatMap((object) => ruleFaults(books, object, indexOf, now)),
    ...routings.flatMap((object) => routingFault(books, object, now) ?? []),
  ];
  const alike = Map.groupBy(faults, ({ source, title, text, mend }) => JSON.stringify([source, title, text, mend]));
  return [...alike.values()].flatMap(findingOf);
}

/** One finding for what is the same on several clusters. */
function findingOf(faults: readonly DeclaredFault[]): readonly AlarmFinding[] {
  const [first] = faults;
  if (first === undefined) return [];
  const { source, title, text, mend, rule } = first;
  const where = someOf(faults.map(({ object }) => object.cluster));
  const times = faults.flatMap(({ object }) => object.fact.writtenAt ?? []);
  const at = times.length === 0 ? null : Math.min(...times);
  return [
    { type: 'not-loaded', source, title, text: `On ${where} it ${text}`, mend, at, objects: null, alert: null, rule },
  ];
}

/** beyond: none that may load the rule has anything of its object, and another source says that it has loaded it. */
type FoundStanding = RuleStanding | 'beyond';

function ruleFaults(
  books: readonly SourceBook[],
  object: Declared<PrometheusRuleFact>,
  indexOf: (book: SourceBook) => RuleIndex,
  now: number,
): readonly DeclaredFault[] {
  const { fact } = object;
  const may = fact.rules.length === 0 ? null : mayLoad(books, 'prometheus', object, now);
  if (may === null) return [];
  const others = books.filter((book) => !may.includes(book));
  const bestOf = (some: readonly SourceBook[], rule: DeclaredRule): RuleStanding =>
    bestStanding(some.map((book) => indexOf(book).standingOf(fact, rule)));
  const standings = Map.groupBy(fact.rules, (rule): FoundStanding => {
    const standing = bestOf(may, rule);
    if (standing !== 'absent') return standing;
    const beyond = bestOf(others, rule);
    return beyond === 'loaded' || beyond === 'uncompared' ? 'beyond' : 'absent';
  });
  const names = may.map((book) => book.source().name);
  return (['absent', 'beyond', 'outdated', 'other', 'uncompared'] as const).flatMap((standing) => {
    const rules = standings.get(standing) ?? [];
    const [first] = rules;
    if (first === undefined) return [];
    const said = wordsOf(standing, fact, someOf([...new Set(rules.map(({ name }) => name))]), names);
    const title = `PrometheusRule ${fact.namespace}/${fact.name}`;
    return [{ object, source: names[0] ?? '', title, ...said, rule: first.name }];
  });
}

const reload =
  'The file that is loaded is older than the object: see prometheus_config_last_reload_successful, and the logs of the operator and of the config-reloader.';

function itOf(rules: string): string {
  return rules.includes(' ') ? 'them' : 'it';
}

function wordsOf(
  standing: Exclude<FoundStanding, 'loaded'>,
  { namespace, labels }: PrometheusRuleFact,
  rules: string,
  sources: readonly string[],
): Pick<DeclaredFault, 'text' | 'mend'> {
  const has = `${someOf(sources)} ${sources.length === 1 ? 'has' : 'have'}`;
  switch (standing) {
    case 'beyond':
      return { text: `declares ${rules}, and ${beyondText(has, itOf(rules))}`, mend: beyondMend };
    case 'absent':
      return {
        text: `declares ${rules}, and ${has} loaded nothing of it.`,
        mend: `${labelsText(labels)} Compare them with spec.ruleSelector of the Prometheus, and the labels of namespace ${namespace} with its spec.ruleNamespaceSelector: kubectl get prometheuses --all-namespaces --output yaml. Where they fit, see the events of the object: the operator leaves out one with an invalid rule.`,
      };
    case 'outdated':
      return { text: `declares ${rules}, and ${has} loaded a version of it without.`, mend: reload };
    case 'other':
      return {
        text: `declares ${rules}, and ${has} loaded ${itOf(rules)} with another expression or another for.`,
        mend: `${reload} A matcher on namespace that only the loaded one has is of spec.enforcedNamespaceLabel.`,
      };
    case 'uncompared':
      return {
        text: `declares ${rules}, and whether ${has} loaded ${itOf(rules)} so is not known.`,
        mend: 'Plumbline compares some rules at each reading, and never what it cannot take apart: where this stays, compare the expression and the for by hand.',
      };
  }
}
