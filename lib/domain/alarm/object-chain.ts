import type { CurrentObject } from '../record/current.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { NamedAlert } from './book/alert-book.ts';
import { heldBackBy, noticeReceivers } from './book/notice.ts';
import { alertName, type SourceBook } from './book/source-book.ts';
import { causeObject } from './called/cause-object.ts';
import { bestFitting } from './check/rule-fit.ts';
import type { AlertFact, NoticeFact, RuleFact } from './fact.ts';
import { alarmLinks, type AlarmBy, type AlarmLink, type AlarmsUnknown } from './link.ts';
import { meansOf } from './named.ts';
import { countsObject } from './check/own-count.ts';
import { isBelieved, rulesReadAt } from './source.ts';

/** The farthest link that the chain of an object gets to by one source. Times in ms since the epoch. */
export type Reach =
  | { readonly type: 'unknown'; readonly why: AlarmsUnknown }
  | {
      readonly type: 'broken';
      readonly link: AlarmLink;
      readonly rule: RuleFact | null;
      /** The alert that got so far; null where there is none. */
      readonly heard: HeardAlert | null;
    }
  | { readonly type: 'sounding'; readonly rule: RuleFact | null; readonly heard: HeardAlert; readonly since: number };

/** An alert that means an object, with all that Alertmanagers have of it. */
export interface HeardAlert {
  readonly name: string;
  readonly by: AlarmBy;
  readonly labels: AlertFact['labels'];
  /** As the program that evaluates rules has it; null where only an Alertmanager does. */
  readonly alert: AlertFact | null;
  readonly notices: readonly NoticeFact[];
  readonly rule: RuleFact | null;
}

/** Standing of the programs of a source at a moment. */
interface Believed {
  /** null: it has no such program. */
  readonly rules: boolean | null;
  readonly delivery: boolean | null;
}

/** Which programs of a source are believed: of several Alertmanagers all must be, for any of them may have an alert. */
function believedAt(book: SourceBook, now: number): Believed {
  const of = (program: 'prometheus' | 'alertmanager'): boolean | null => {
    const found = book.source().programs.filter((one) => one.program === program);
    return found.length === 0 ? null : found.every((one) => isBelieved(one, now));
  };
  return { rules: of('prometheus'), delivery: of('alertmanager') };
}

/** Alerts of each type that are looked at for one object: thousands may name it, and each is compared with those of Alertmanagers. */
export const mostHeard = 64;

/**
 * Most labels that are compared, scopes and receivers that are asked for one object: each of its alerts is held against each that Alertmanagers have, and
 * a cluster has tens of thousands of objects. Long values count as several.
 */
const mostLooked = 2_000;

/** The same where one object is asked for by itself. */
export const mostLookedAlone = 100_000;

/** Letters of a value that count as one label more. */
const lettersInLook = 64;

interface Looking {
  left: number;
}

/** Alerts that mean an object; `isCut`: more may than are looked at. */
export interface Heard {
  readonly alerts: readonly HeardAlert[];
  readonly isCut: boolean;
}

/** The alerts of a source that mean an object, itself or by its root cause; `most`: labels and scopes that are looked at. */
export function heardFor(book: SourceBook, object: CurrentObject, most = mostLooked): Heard {
  const looking = { left: most };
  const found = alertsFor(book, object.ref, object, looking);
  const cause = object.rootCause === null ? null : causeObject(object.rootCause);
  if (cause === null) return found;
  const ofCause = alertsFor(book, cause, null, looking);
  return { alerts: [...found.alerts, ...ofCause.alerts], isCut: found.isCut || ofCause.isCut };
}

/** An alert with for what it is. */
interface Meant<Fact> {
  readonly fact: Fact;
  readonly by: AlarmBy;
}

/** `object`: null of a root cause. */
function alertsFor(book: SourceBook, ref: ObjectRef, object: CurrentObject | null, looking: Looking): Heard {
  const alerts: Meant<AlertFact>[] = [];
  const notices: Meant<NoticeFact>[] = [];
  let isCut = false;
  for (const type of ['alert', 'notice'] as const) {
    let looked = 0;
    for (const one of book.about(type, ref)) {
      if (looked === mostHeard || looking.left < 0) {
        isCut = true;
        break;
      }
      looked += 1;
      const by = meaning(book, one, ref, object, looking);
      // Of a cause only what names it counts: what means a group says nothing of a cause.
      if (by === null || (object === null && by === 'group')) continue;
      const { fact } = one;
      const meant = by === 'own' && object === null ? 'cause' : by;
      if (fact.type === 'alert') alerts.push({ fact, by: meant });
      else notices.push({ fact, by: meant });
    }
  }
  const heard = joined(book, alerts, notices, looking);
  return { alerts: heard, isCut: isCut || looking.left < 0 };
}

/** Each alert with what Alertmanagers have of it, then what they alone have. */
function joined(
  book: SourceBook,
  alerts: readonly Meant<AlertFact>[],
  notices: readonly Meant<NoticeFact>[],
  looking: Looking,
): readonly HeardAlert[] {
  const named = Map.groupBy(notices, ({ fact }) => alertName(fact));
  const heard = alerts.map(({ fact, by }): HeardAlert => {
    const alike = named.get(alertName(fact)) ?? [];
    const of = alike.filter((notice) => notice.by === by && isSameAlert(fact, notice.fact, looking));
    const rule = book.rules.get(fact.rule);
    return {
      name: alertName(fact),
      by,
      labels: fact.labels,
      alert: fact,
      notices: of.map((one) => one.fact),
      rule,
    };
  });
  const met = new Set(heard.flatMap((one) => one.notices));
  const alone = notices.filter(({ fact }) => !met.has(fact));
  return [
    ...heard,
    ...alone.map(({ fact, by }): HeardAlert => {
      const [rule = null] = book.rules.named(alertName(fact));
      return { name: alertName(fact), by, labels: fact.labels, alert: null, notices: [fact], rule };
    }),
  ];
}

/** For what an alert is of an object. One that names no kind, or no object, means it only where its rule reads it. */
function meaning(
  book: SourceBook,
  alert: NamedAlert,
  ref: ObjectRef,
  object: CurrentObject | null,
  looking: Looking,
): 'own' | 'group' | null {
  const means = meansOf(alert.named, ref);
  if (means === null || (means === 'own' && alert.named.kind !== null)) return means;
  const scopes = book.scopesOf(alert);
  looking.left -= scopes.length;
  if (looking.left < 0) return null;
  const isRead =
    scopes.some((scope) => book.scopes.holds(scope, ref) === true) ||
    (object !== null && book.countingOf(alert).some((rule) => countsObject(alert, rule, object)));
  return isRead ? means : null;
}

/** Tests if an alert of Prometheus and one of an Alertmanager, of one name, are the same: labels may have been added on the way. False, too, where no more may be looked at. */
function isSameAlert(alert: AlertFact, notice: NoticeFact, looking: Looking): boolean {
  looking.left -= 1;
  const { labels } = notice;
  // Without a list of entries: this is asked thousands of times for each object.
  for (const name in alert.labels) {
    const value = alert.labels[name] ?? '';
    looking.left -= 1 + value.length / lettersInLook;
    if (looking.left < 0) return false;
    if (Object.hasOwn(labels, name) && labels[name] !== value) return false;
  }
  return true;
}

/** The farthest link that the chain of an object that is away gets to, by a source that covers its cluster, at `now` (ms). */
export function reachOf(book: SourceBook, object: CurrentObject, now: number): Reach {
  const believed = believedAt(book, now);
  const { alerts, isCut } = heardFor(book, object);
  const links = linksOf(book, alerts);
  const reaches = alerts.map((heard) => reachOfAlert(book, heard, object, { believed, links }));
  const best = furthest(reaches);
  if (best?.type === 'sounding') return best;
  if (believed.rules === false || believed.delivery === false) return { type: 'unknown', why: 'not-read' };
  // One that was not looked at may sound.
  if (isCut) return { type: 'unknown', why: 'cut' };
  if (best !== null) return best;
  if (believed.rules === null) {
    if (book.source().cut.length > 0) return { type: 'unknown', why: 'cut' };
    return { type: 'broken', link: 'delivery', rule: null, heard: null };
  }
  return reachWithoutAlert(book, object);
}

/** The link at which each notice ends; null where somebody is called. A notice may be of many alerts; one that is not in it was not looked at. */
type Links = ReadonlyMap<NoticeFact, AlarmLink | null>;

function linksOf(book: SourceBook, alerts: readonly HeardAlert[]): Links {
  const looking = { left: mostLooked };
  const found = new Map<NoticeFact, AlarmLink | null>();
  for (const { notices } of alerts)
    for (const notice of notices) {
      if (found.has(notice) || !isProcessed(notice)) continue;
      looking.left -= notice.receivers.length;
      if (looking.left < 0) return found;
      found.set(notice, brokenAt(book, notice));
    }
  return found;
}

function reachOfAlert(
  book: SourceBook,
  heard: HeardAlert,
  object: CurrentObject,
  { believed, links: ends }: { readonly believed: Believed; readonly links: Links },
): Reach {
  const { rule, alert } = heard;
  const broken = (link: AlarmLink): Reach => ({ type: 'broken', link, rule, heard });
  if (alert?.state === 'pending') return broken('hold');
  if (believed.delivery !== true) return { type: 'unknown', why: 'not-read' };
  if (heard.notices.length === 0)
    return book.source().cut.length > 0 ? { type: 'unknown', why: 'cut' } : broken('delivery');
  // One that its Alertmanager has not looked at yet, or holds back without a reason, may call or not.
  const processed = heard.notices.filter(isProcessed);
  if (processed.length === 0) return { type: 'unknown', why: whyNotProcessed(heard) };
  const links = processed.map((notice) => ends.get(notice));
  if (!links.includes(null)) {
    if (links.includes(undefined)) return { type: 'unknown', why: 'cut' };
    return broken(last(links.flatMap((link) => link ?? [])) ?? 'delivery');
  }
  const since = processed.reduce((first, { startsAt }) => Math.min(first, startsAt), Infinity);
  // It was sounding for others: nobody is called anew for this one.
  if (heard.by === 'group' && since < (object.awaySince ?? object.onset).time) return broken('news');
  return { type: 'sounding', rule, heard, since };
}

function whyNotProcessed({ notices }: HeardAlert): AlarmsUnknown {
  return notices.some(({ state }) => state === 'untold') ? 'mutes-untold' : 'not-read';
}

/** Tests if it is known of a notice whether it calls. */
export function isProcessed(notice: NoticeFact): boolean {
  return notice.state === 'active' || heldBackBy(notice) !== null;
}

/** The link at which a notice ends; null where somebody is called. */
function brokenAt(book: SourceBook, notice: NoticeFact): AlarmLink | null {
  const held = heldBackBy(notice);
  if (held !== null) return held;
  return noticeReceivers(book, notice).some((receiver) => receiver.calls.length > 0) ? null : 'receiver';
}

function reachWithoutAlert(book: SourceBook, { ref, verdict }: CurrentObject): Reach {
  const unknown: Reach = { type: 'unknown', why: 'cut' };
  const read = book.rules.readers(rulesReadAt(book.source()), verdict);
  // Of scopes that are not asked for nothing is known, and a hostile source has hundreds of thousands.
  const told = Array.from(book.scopes.standings(), ({ key }) => key)
    .flatMap((scope) => {
      const reader = read.of(scope);
      return reader === null ? [] : [{ reader, holds: book.scopes.holds(scope, ref) }];
    })
    .toSorted((a, b) => a.reader.place - b.reader.place);
  const readers = told.flatMap(({ reader, holds }) => (holds === true ? [reader] : []));
  if (readers.length > 0) {
    const well = readers.flatMap((reader) => reader.well ?? []);
    const link = well.length === 0 ? 'evaluation' : 'condition';
    const fitting = well.length === 0 ? readers.map(({ rule }) => rule) : well;
    return { type: 'broken', link, rule: bestFitting(fitting, verdict), heard: null };
  }
  const areKnown = told.length === read.size && told.every(({ holds }) => holds !== null);
  const sure = !book.rules.hasUnread() && book.source().cut.length === 0 && areKnown;
  if (!sure) return unknown;
  const answers = Array.from(book.scopes.standings(), ({ key }) => book.scopes.holds(key, ref));
  if (answers.includes(true)) return { type: 'broken', link: 'rule', rule: null, heard: null };
  // Until it was asked what is exported, nothing is known to be missing.
  const isKnown = answers.length > 0 && !answers.includes(null);
  return isKnown ? { type: 'broken', link: 'series', rule: null, heard: null } : unknown;
}

function last(links: readonly AlarmLink[]): AlarmLink | null {
  return links.reduce<AlarmLink | null>(
    (latest, link) => (latest === null || alarmLinks.indexOf(link) > alarmLinks.indexOf(latest) ? link : latest),
    null,
  );
}

/** The reach that got furthest: sounding (since longest), else the latest broken link, else unknown; null for none. */
export function furthest(reaches: readonly Reach[]): Reach | null {
  return reaches.toSorted((a, b) => rankOf(b) - rankOf(a) || sinceOf(a) - sinceOf(b))[0] ?? null;
}

function rankOf(reach: Reach): number {
  switch (reach.type) {
    case 'sounding':
      return alarmLinks.length + 1;
    // An alert of which nobody knows where it went may have reached anybody.
    case 'unknown':
      return alarmLinks.length;
    case 'broken':
      return alarmLinks.indexOf(reach.link);
  }
}

function sinceOf(reach: Reach): number {
  return reach.type === 'sounding' ? reach.since : 0;
}
