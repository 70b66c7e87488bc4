import { compareText } from '../../observation/compare-text.ts';
import { day, minute } from '../../time/length.ts';
import { kindTest } from '../../pager/kind-name.ts';
import type { NamedAlert } from '../book/alert-book.ts';
import { alertName, type SourceBook } from '../book/source-book.ts';
import type { RuleFact, SilenceFact } from '../fact.ts';
import {
  findingTypes,
  type AlarmFinding,
  type CoveredCluster,
  type FindingType,
  type KindCoverage,
} from '../finding.ts';
import { meansOf } from '../named.ts';
import { isWell, receiversOf } from '../object-chain.ts';
import { clockResets, conditionLabels, faultsFound, watchesAbsence } from '../check/rule-condition.ts';
import { deadRules } from '../rules-check.ts';
import { isBelieved } from '../source.ts';
import type { KnownObject } from '../with-alarm.ts';

/** An object must have been converged for so long before an alert for it is called an orphan (ms): Alertmanager keeps one for some minutes. */
const orphanAfter = 10 * minute;

/** A silence may last so long before it is asked whether it still holds anything back (ms). */
const longSilence = day;

/** Objects of a cluster by name; null where the cluster is not known. */
type ObjectsByName = (cluster: string) => ReadonlyMap<string, readonly KnownObject[]> | null;

/** Made once for as long as the list of objects is the same: a fleet has a million of them. */
const named = new WeakMap<CoveredCluster['objects'], ReadonlyMap<string, readonly KnownObject[]>>();

function objectsByName(clusters: readonly CoveredCluster[]): ObjectsByName {
  const lists = new Map(clusters.map(({ name, objects }) => [name, objects]));
  return (cluster) => {
    const objects = lists.get(cluster);
    if (objects === undefined) return null;
    const found = named.get(objects) ?? Map.groupBy(objects, ({ ref }) => ref.name);
    named.set(objects, found);
    return found;
  };
}

/** Weaknesses of the alarms that stand whether or not anything is away, the worst types first. */
export function findingsOf(
  books: readonly SourceBook[],
  clusters: readonly CoveredCluster[],
  kinds: readonly KindCoverage[],
  now: number,
): readonly AlarmFinding[] {
  const byName = objectsByName(clusters);
  const found = books
    .filter((book) => book.source().programs.every((program) => isBelieved(program, now)))
    .flatMap((book) => [
      ...ofRules(book),
      ...unheardAlerts(book),
      ...longSilences(book, byName, now),
      ...orphans(book, byName, now),
    ]);
  const all = [...found, ...leftOut(books, kinds)];
  const rank = (type: FindingType): number => findingTypes.indexOf(type);
  return all.toSorted((a, b) => rank(a.type) - rank(b.type) || compareText(a.title, b.title));
}

function finding(
  book: SourceBook,
  type: FindingType,
  rest: Pick<AlarmFinding, 'title' | 'text' | 'mend'> & Partial<AlarmFinding>,
): AlarmFinding {
  return { at: null, objects: null, alert: null, rule: null, ...rest, type, source: book.source().name };
}

function ofRules(book: SourceBook): readonly AlarmFinding[] {
  const { name, attribution, cut } = book.source();
  const facts = [...book.rules.reading(), ...book.scopes.standings(), ...Array.from(book.alerts(), ({ fact }) => fact)];
  const dead = deadRules({ name, attribution, facts, believed: true, cut: cut.length > 0 });
  const reading = [...book.rules.reading()].filter((rule) => !watchesAbsence(rule));
  return [
    ...dead.map(({ rule, text, mend }) => finding(book, 'dead-rule', { title: rule, text, mend, rule })),
    ...reading.flatMap((rule) => resetting(book, rule)),
    ...reading.filter((rule) => !isWell(rule, book)).map((rule) => unwell(book, rule)),
  ];
}

/** A rule whose clock may begin anew while what it watches stays away. */
function resetting(book: SourceBook, rule: RuleFact): readonly AlarmFinding[] {
  const { name, holds, selectors } = rule;
  if (holds === 0) return [];
  if (clockResets(rule)) {
    return [
      finding(book, 'clock-resets', {
        title: name,
        rule: name,
        text: `Rule ${name} keeps labels that change while an object is away: its for begins anew with each change.`,
        mend: 'Aggregate it by labels that stand still: cluster, customresource_group, customresource_kind, exported_namespace, name.',
      }),
    ];
  }
  const blind = (selectors ?? []).some((selector) => {
    const values = faultsFound(selector, 'ready');
    return values !== null && values !== 'unclear' && values.size > 0 && !values.has('Unknown');
  });
  if (!blind) return [];
  return [
    finding(book, 'clock-resets', {
      title: name,
      rule: name,
      text: `Rule ${name} is not true while ready is Unknown, which Flux says at each attempt: its for begins anew each time.`,
      mend: `Ask for ready!="${conditionLabels.ready.good}".`,
    }),
  ];
}

function unwell(book: SourceBook, rule: RuleFact): AlarmFinding {
  const { name, health, error, evaluatedAt, group } = rule;
  const why = error === null || error === '' ? '' : `: ${error.replace(/\.$/, '')}`;
  return finding(book, 'not-evaluated', {
    title: name,
    rule: name,
    at: evaluatedAt,
    text: health === 'err' ? `Rule ${name} cannot be evaluated${why}.` : `Rule ${name} was not evaluated of late.`,
    mend: health === 'err' ? 'Mend its expression.' : `See why the group ${group} is not evaluated.`,
  });
}

/** Alerts that an Alertmanager has, holds back by nothing, and tells nobody. */
function unheardAlerts(book: SourceBook): readonly AlarmFinding[] {
  const counts = new Map<string, { count: number; since: number; receivers: ReadonlySet<string> }>();
  for (const { fact } of book.alerts()) {
    if (fact.type !== 'notice' || fact.state !== 'active') continue;
    const receivers = receiversOf(book, fact);
    if (receivers.some(({ calls }) => calls.length > 0)) continue;
    const name = alertName(fact);
    const found = counts.get(name) ?? { count: 0, since: fact.startsAt, receivers: new Set<string>() };
    counts.set(name, {
      count: found.count + 1,
      since: Math.min(found.since, fact.startsAt),
      receivers: new Set([...found.receivers, ...receivers.map((receiver) => receiver.name)]),
    });
  }
  return Array.from(counts, ([name, { count, since, receivers }]) =>
    finding(book, 'nobody-receives', {
      title: name,
      alert: name,
      at: since,
      text: `${count === 1 ? 'An alert' : `${count} alerts`} of ${name} ${count === 1 ? 'is' : 'are'} routed to ${[...receivers].slice(0, 3).join(', ') || 'no receiver'}, which calls nobody.`,
      mend: `Route ${name} to a receiver with an integration.`,
    }),
  );
}

/** Objects that alerts mean: those that are there, of a kind that is seen; null where the alert names none. */
function meantBy({ named: labels }: NamedAlert, byName: ObjectsByName): readonly KnownObject[] | null {
  const { cluster, kind, name } = labels;
  if (cluster === null || kind === null || name === null) return null;
  const on = byName(cluster);
  if (on === null) return null;
  const isKind = kindTest(kind);
  const meant = (on.get(name) ?? []).filter(({ ref }) => meansOf(labels, ref) === 'own');
  // Of a kind that is not seen there nothing is known to be gone.
  const isSeen = meant.length > 0 || on.values().some((objects) => objects.some(({ ref }) => isKind(ref)));
  return isSeen ? meant : null;
}

function orphans(book: SourceBook, byName: ObjectsByName, now: number): readonly AlarmFinding[] {
  const found: AlarmFinding[] = [];
  for (const alert of book.alerts()) {
    const { fact, named } = alert;
    if (fact.type !== 'notice' || fact.state !== 'active') continue;
    const objects = meantBy(alert, byName);
    if (objects === null || objects.some((object) => !isLongHome(object, now))) continue;
    const what = `${named.kind ?? ''} ${named.name ?? ''} on ${named.cluster ?? ''}`;
    found.push(
      finding(book, 'orphan', {
        title: alertName(fact),
        alert: alertName(fact),
        at: fact.startsAt,
        objects: objects.length,
        text:
          objects.length === 0
            ? `It is active for ${what}, which is not there.`
            : `It is active for ${what}, which is as in git.`,
        mend: 'See what its rule asks for: an alarm that sounds for nothing is not heard when it matters.',
      }),
    );
  }
  return found;
}

function isLongHome({ verdict, onset }: KnownObject, now: number): boolean {
  return verdict === 'converged' && now - onset.time >= orphanAfter;
}

function longSilences(book: SourceBook, byName: ObjectsByName, now: number): readonly AlarmFinding[] {
  const held = new Map<string, NamedAlert[]>();
  for (const alert of book.alerts())
    if (alert.fact.type === 'notice')
      for (const id of alert.fact.silencedBy) held.set(id, [...(held.get(id) ?? []), alert]);
  return Array.from(book.silences.values())
    .filter(({ state, startsAt, endsAt }) => state === 'active' && now - startsAt >= longSilence && endsAt > now)
    .flatMap((silence) => {
      const alerts = [...held].flatMap(([id, list]) =>
        silence.key === id || silence.key.endsWith(` ${id}`) ? list : [],
      );
      const text = outlived(alerts, byName, now);
      return text === null ? [] : [silenceFinding(book, silence, text)];
    });
}

/** Why a silence is not needed any more; null where it may be. */
function outlived(alerts: readonly NamedAlert[], byName: ObjectsByName, now: number): string | null {
  if (alerts.length === 0) return 'holds nothing back now';
  const meant = alerts.map((alert) => meantBy(alert, byName));
  const over = meant.every((objects) => objects !== null && objects.every((object) => isLongHome(object, now)));
  return over ? 'holds back alerts of what is as in git, or gone' : null;
}

function silenceFinding(
  book: SourceBook,
  { by, comment, startsAt, matchers }: SilenceFact,
  text: string,
): AlarmFinding {
  const what = matchers.slice(0, 3).map(({ name, operator, value }) => `${name}${operator}"${value}"`);
  const why = comment === '' ? '' : ` (${comment})`;
  return finding(book, 'silence-outlives', {
    title: what.join(', '),
    at: startsAt,
    text: `A silence by ${by === '' ? 'somebody' : by}${why} ${text}.`,
    mend: 'End it if its reason is gone: it holds back what comes next as well.',
  });
}

/** Rules that read a kind, and not all objects of it that have series. */
function leftOut(books: readonly SourceBook[], kinds: readonly KindCoverage[]): readonly AlarmFinding[] {
  const byKind = Map.groupBy(kinds, ({ group, kind }) => `${group}/${kind}`);
  return Array.from(byKind.values()).flatMap((of) => {
    const rules = [...new Set(of.flatMap(({ rules: names }) => names))];
    const short = of.filter(
      ({ exported, ruled }) => exported.unknown + ruled.unknown === 0 && ruled.yes < exported.yes,
    );
    const [first] = short;
    const readBy = rules[0] ?? '';
    const book = first && books.find((one) => one.covers(first.cluster) && [...one.rules.named(readBy)].length > 0);
    if (first === undefined || book === undefined) return [];
    const objects = short.reduce((sum, { exported, ruled }) => sum + exported.yes - ruled.yes, 0);
    const where = short.map(({ cluster }) => cluster);
    const more = where.length > 3 ? ` and ${where.length - 3} more` : '';
    return [
      finding(book, 'leaves-out', {
        title: first.kind,
        objects,
        rule: rules[0] ?? null,
        text: `${rules.slice(0, 3).join(', ')} ${rules.length === 1 ? 'reads' : 'read'} ${first.kind}, and leaves out ${objects} ${objects === 1 ? 'object' : 'objects'} on ${where.slice(0, 3).join(', ')}${more}.`,
        mend: 'Take the matcher out that leaves them out, or load the rules that plumbline rules writes.',
      }),
    ];
  });
}
