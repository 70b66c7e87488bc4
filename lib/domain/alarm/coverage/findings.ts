import { compareText } from '../../observation/compare-text.ts';
import { day, minute } from '../../time/length.ts';
import type { NamedAlert } from '../book/alert-book.ts';
import { noticeReceivers } from '../book/notice.ts';
import { alertName, type SourceBook } from '../book/source-book.ts';
import { isWell } from '../book/well-rule.ts';
import { narrowedRoutes } from '../declared/namespace-route.ts';
import { someOf } from '../declared/declaring.ts';
import { declarationsOf, notLoaded } from '../declared/not-loaded.ts';
import type { NoticeFact, RuleFact, SilenceFact } from '../fact.ts';
import {
  findingTypes,
  type AlarmFinding,
  type CoveredCluster,
  type FindingType,
  type KindCoverage,
} from '../finding.ts';
import { meantObjects, type MeantObjects } from './meant-objects.ts';
import { clockResets, conditionLabels, faultsFound, watchesAbsence } from '../check/rule-condition.ts';
import { onceMend, onceText } from '../check/count-check.ts';
import { callsOnce } from '../check/own-count.ts';
import { deadRules } from '../rules-check.ts';
import { isBelieved } from '../source.ts';
import type { KnownObject } from '../with-alarm.ts';

/** An object must have been converged for so long before an alert for it is called an orphan (ms): Alertmanager keeps one for some minutes. */
const orphanAfter = 10 * minute;

/** A silence may last so long before it is asked whether it still holds anything back (ms). */
const longSilence = day;

/** Alerts that are looked at in one turn: some milliseconds, whatever they name. */
const atOnce = 500;

/** Made a part at a time: at each pause others may come to their turn. */
type InTurns<Made> = Generator<undefined, Made>;

/** Weaknesses of the alarms that stand whether or not anything is away, the worst types first, of each those of most objects first. Tens of thousands of alerts are looked at: in turns. */
export function* findingsOf(
  books: readonly SourceBook[],
  clusters: readonly CoveredCluster[],
  kinds: readonly KindCoverage[],
  now: number,
): InTurns<readonly AlarmFinding[]> {
  const meant = yield* meantObjects(clusters);
  const all: AlarmFinding[] = [];
  for (const book of books) {
    if (!book.source().programs.every((program) => isBelieved(program, now))) continue;
    // As they are when it begins: what comes in between is for the next time.
    const notices = Array.from(book.alerts()).filter((alert) => isNotice(alert));
    yield;
    const ofAlerts = [
      yield* unheardAlerts(book, notices),
      yield* longSilences(book, notices, meant, now),
      yield* orphans(book, notices, meant, now),
    ];
    for (const found of [ofRules(book), narrowedRoutes(book), ...ofAlerts]) for (const each of found) all.push(each);
    yield;
  }
  all.push(...leftOut(books, kinds));
  for (const each of notLoaded(books, declarationsOf(clusters), now)) all.push(each);
  const rank = (type: FindingType): number => findingTypes.indexOf(type);
  return all.toSorted(
    (a, b) => rank(a.type) - rank(b.type) || (b.objects ?? 0) - (a.objects ?? 0) || compareText(a.title, b.title),
  );
}

function finding(
  book: SourceBook,
  type: FindingType,
  rest: Pick<AlarmFinding, 'title' | 'text' | 'mend'> & Partial<AlarmFinding>,
): AlarmFinding {
  return { at: null, objects: null, alert: null, rule: null, ...rest, type, source: book.source().name };
}

type NamedNotice = NamedAlert<NoticeFact>;

function isNotice(alert: NamedAlert): alert is NamedNotice {
  return alert.fact.type === 'notice';
}

/** A pause behind each so many. */
function* inTurns<Each>(all: readonly Each[], look: (each: Each) => void): InTurns<void> {
  for (const [at, each] of all.entries()) {
    if (at % atOnce === atOnce - 1) yield;
    look(each);
  }
}

function ofRules(book: SourceBook): readonly AlarmFinding[] {
  const { name, cut } = book.source();
  const facts = [...book.rules.reading(), ...book.scopes.standings(), ...Array.from(book.alerts(), ({ fact }) => fact)];
  const dead = deadRules({ name, facts, believed: true, cut: cut.length > 0 });
  const isDead = new Set(dead.map(({ rule }) => rule));
  const reading = [...book.rules.reading()].filter((rule) => !watchesAbsence(rule));
  return [
    ...dead.map(({ rule, text, mend }) => finding(book, 'dead-rule', { title: rule, text, mend, rule })),
    // One that can never fire has no clock.
    ...reading.filter(({ name: of }) => !isDead.has(of)).flatMap((rule) => resetting(book, rule)),
    ...[...book.rules.all()].filter(callsOnce).map((rule) => once(book, rule)),
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

function once(book: SourceBook, { name }: RuleFact): AlarmFinding {
  return finding(book, 'calls-once', { title: name, rule: name, text: onceText(name), mend: onceMend });
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
function* unheardAlerts(book: SourceBook, notices: readonly NamedNotice[]): InTurns<readonly AlarmFinding[]> {
  const counts = new Map<string, { count: number; since: number; readonly receivers: Set<string> }>();
  yield* inTurns(notices, ({ fact }) => {
    if (fact.state !== 'active') return;
    const receivers = noticeReceivers(book, fact);
    if (receivers.some(({ calls }) => calls.length > 0)) return;
    const name = alertName(fact);
    const found = counts.get(name) ?? { count: 0, since: fact.startsAt, receivers: new Set<string>() };
    counts.set(name, found);
    found.count += 1;
    found.since = Math.min(found.since, fact.startsAt);
    for (const receiver of receivers) found.receivers.add(receiver.name);
  });
  return Array.from(counts, ([name, { count, since, receivers }]) =>
    finding(book, 'nobody-receives', {
      title: name,
      alert: name,
      at: since,
      text: `${count === 1 ? 'An alert' : `${count} alerts`} of ${name} ${count === 1 ? 'is' : 'are'} routed to ${receiverText([...receivers])}, which ${receivers.size > 1 ? 'call' : 'calls'} nobody.`,
      mend: `Route ${name} to a receiver with an integration.`,
    }),
  );
}

function receiverText(names: readonly string[]): string {
  if (names.length === 0) return 'no receiver';
  return `${names.length === 1 ? 'receiver' : 'receivers'} ${someOf(names)}`;
}

function* orphans(
  book: SourceBook,
  notices: readonly NamedNotice[],
  meantBy: MeantObjects,
  now: number,
): InTurns<readonly AlarmFinding[]> {
  const found: AlarmFinding[] = [];
  yield* inTurns(notices, (alert) => {
    const { fact, named } = alert;
    if (fact.state !== 'active') return;
    const objects = meantBy(alert);
    if (objects === null || objects.some((object) => !isLongHome(object, now))) return;
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
  });
  return found;
}

function isLongHome({ verdict, onset }: KnownObject, now: number): boolean {
  return verdict === 'converged' && now - onset.time >= orphanAfter;
}

function* longSilences(
  book: SourceBook,
  notices: readonly NamedNotice[],
  meantBy: MeantObjects,
  now: number,
): InTurns<readonly AlarmFinding[]> {
  const held = new Map<string, NamedNotice[]>();
  yield* inTurns(notices, (alert) => {
    for (const id of alert.fact.silencedBy) {
      const of = held.get(id);
      if (of === undefined) held.set(id, [alert]);
      else of.push(alert);
    }
  });
  const found: AlarmFinding[] = [];
  const long = Array.from(book.silences.values()).filter(
    ({ state, startsAt, endsAt }) => state === 'active' && now - startsAt >= longSilence && endsAt > now,
  );
  for (const silence of long) {
    const text = yield* outlived(held.get(silence.key) ?? [], meantBy, now);
    if (text !== null) found.push(silenceFinding(book, silence, text));
  }
  return found;
}

/** Why a silence is not needed any more; null where it may be. */
function* outlived(alerts: readonly NamedNotice[], meantBy: MeantObjects, now: number): InTurns<string | null> {
  if (alerts.length === 0) return 'holds nothing back now';
  for (const [at, alert] of alerts.entries()) {
    if (at % atOnce === atOnce - 1) yield;
    const objects = meantBy(alert);
    if (objects === null || objects.some((object) => !isLongHome(object, now))) return null;
  }
  return 'holds back alerts of what is as in git, or gone';
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
        text: `${rules.slice(0, 3).join(', ')} ${rules.length === 1 ? 'reads' : 'read'} ${first.kind}, and ${rules.length === 1 ? 'leaves' : 'leave'} out ${objects} ${objects === 1 ? 'object' : 'objects'} on ${where.slice(0, 3).join(', ')}${more}.`,
        mend: 'Take the matcher out that leaves them out, or load the rules that plumbline rules writes.',
      }),
    ];
  });
}
