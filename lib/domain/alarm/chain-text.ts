import type { CurrentObject } from '../record/current.ts';
import { noticeReceivers } from './book/notice.ts';
import type { SourceBook } from './book/source-book.ts';
import { namespaceMend, namespaceRoute } from './declared/namespace-route.ts';
import type { AlarmChain, ChainAlert, ChainStep } from './chain.ts';
import { clockResets } from './check/rule-condition.ts';
import { onceMend } from './check/count-check.ts';
import { callsOnce, countedVerdicts } from './check/own-count.ts';
import type { NoticeFact, RuleFact } from './fact.ts';
import { alarmLinks, type AlarmLink, type AlarmState } from './link.ts';
import { isProcessed, type HeardAlert, type Reach } from './object-chain.ts';

/** All that a chain is told from. */
interface Told {
  readonly object: CurrentObject;
  /** Of the source whose chain got furthest; null where none speaks for the cluster. */
  readonly book: SourceBook | null;
  readonly reach: Reach;
  readonly alarm: AlarmState;
  readonly heard: readonly { readonly book: SourceBook; readonly alert: HeardAlert }[];
  readonly isCut: boolean;
}

/** The chain of an object in words. */
export function chainText({ object, book, reach, alarm, heard, isCut }: Told): AlarmChain {
  const broken = reach.type === 'broken' ? reach.link : null;
  const asOf = book === null ? null : oldestReading(book);
  return {
    alarm,
    steps: book === null || reach.type === 'unknown' ? [] : stepsOf(book, reach, object),
    alerts: heard.map((one) => chainAlert(one.book, one.alert)),
    isCut,
    mend: broken === null || alarm.state === 'unknown' ? null : mendOf(broken, object, reach, book),
    asOf,
  };
}

function oldestReading(book: SourceBook): number | null {
  const read = book.source().programs.flatMap(({ readAt }) => readAt ?? []);
  return read.length === 0 ? null : Math.min(...read);
}

/** Links in the order in which they are told: an alert is held back by one thing, or by none. */
const told: readonly AlarmLink[] = ['series', 'rule', 'evaluation', 'condition', 'hold', 'delivery'];
const lastLinks: readonly AlarmLink[] = ['silence', 'inhibition', 'mute', 'receiver', 'news'];

function stepsOf(
  book: SourceBook,
  reach: Exclude<Reach, { type: 'unknown' }>,
  object: CurrentObject,
): readonly ChainStep[] {
  const broken = reach.type === 'broken' ? reach.link : null;
  const reached = broken === null ? alarmLinks.length : alarmLinks.indexOf(broken);
  const shown = [
    ...told,
    ...(broken !== null && lastLinks.includes(broken) && broken !== 'receiver' ? [broken] : []),
    'receiver' as const,
  ];
  return shown.map((link): ChainStep => {
    const at = alarmLinks.indexOf(link);
    // A group alert that is no news has a receiver: what breaks its chain is told in its place.
    const state =
      link === broken ? 'broken' : at < reached && !(broken === 'news' && link === 'receiver') ? 'whole' : 'later';
    return { link, state, ...sentenceOf(link, state, { book, reach, object }) };
  });
}

interface Said {
  readonly text: string;
  readonly at: number | null;
}

interface Context {
  readonly book: SourceBook;
  readonly reach: Exclude<Reach, { type: 'unknown' }>;
  readonly object: CurrentObject;
}

function plain(text: string, at: number | null = null): Said {
  return { text, at };
}

function ruleName(rule: RuleFact | null, heard: HeardAlert | null): string {
  return rule?.name ?? heard?.name ?? 'the rule';
}

/** The sentence of one link. */
function sentenceOf(link: AlarmLink, state: ChainStep['state'], { book, reach, object }: Context): Said {
  const { rule, heard } = reach;
  const name = ruleName(rule, heard);
  if (state === 'later') return plain(laterWords[link]);
  if (state === 'whole') return wholeSentence(link, book, reach, name);
  switch (link) {
    case 'series':
      return plain(`No target exports a series of this ${object.ref.kind} to ${book.source().name}.`);
    case 'rule':
      return plain(`Its series are there, and no rule that ${book.source().name} has loaded reads them.`);
    case 'evaluation':
      return rule?.health === 'err'
        ? plain(`Rule ${name} cannot be evaluated${rule.error === null ? '' : `: ${withoutStop(rule.error)}`}.`)
        : plain(`Rule ${name} is not evaluated any more.`, rule?.evaluatedAt ?? null);
    case 'condition':
      return plain(`Rule ${name} reads it, and its expression does not match it.`);
    case 'hold':
      return plain(
        `The condition of ${name} is true and must stay so for ${seconds(rule?.holds ?? 0)} before it fires.`,
        heard?.alert?.activeAt ?? null,
      );
    case 'delivery':
      return heard === null
        ? plain('No Alertmanager has an alert for it; no rules are read here.')
        : plain(`${name} fires, and no Alertmanager of ${book.source().name} has it.`, heard.alert?.activeAt ?? null);
    case 'silence':
      return silenceSentence(book, heard?.notices ?? []);
    case 'inhibition':
      return plain(`Another alert inhibits ${name}.`);
    case 'mute':
      return plain(
        `A time interval mutes ${name}: ${(heard?.notices ?? [])
          .flatMap(({ mutedBy }) => mutedBy)
          .slice(0, 3)
          .join(', ')}.`,
      );
    case 'receiver':
      return plain(`${name} is routed to ${receiverWords(book, heard)}, which calls nobody.`);
    case 'news':
      return plain(
        `${name} names no object and was sounding before this one was away: nobody was called anew.`,
        heard?.alert?.activeAt ?? null,
      );
  }
}

function wholeSentence(link: AlarmLink, book: SourceBook, reach: Context['reach'], name: string): Said {
  const { heard } = reach;
  switch (link) {
    case 'series':
      return plain('A target exports its series.');
    case 'rule':
      return plain(`Rule ${name} reads it.`);
    case 'evaluation':
      return plain(`Rule ${name} is evaluated.`);
    case 'condition':
      return plain(`Its condition is true.`, heard?.alert?.activeAt ?? null);
    case 'hold':
      return plain('It fires.');
    case 'delivery':
      return plain('An Alertmanager has it.', startOf(heard));
    case 'silence':
    case 'inhibition':
    case 'mute':
    case 'news':
      return plain('Nothing holds it back.');
    case 'receiver':
      return plain(`It is routed to ${receiverWords(book, heard)}.`);
  }
}

const laterWords: Readonly<Record<AlarmLink, string>> = {
  series: 'Whether a target exports its series.',
  rule: 'A rule reads it.',
  evaluation: 'The rule is evaluated.',
  condition: 'Its condition is true.',
  hold: 'It fires.',
  delivery: 'An Alertmanager has it.',
  silence: 'Nothing holds it back.',
  inhibition: 'Nothing holds it back.',
  mute: 'Nothing holds it back.',
  receiver: 'It is routed to somebody who is called.',
  news: 'Nothing holds it back.',
};

function startOf(heard: HeardAlert | null): number | null {
  const starts = heard?.notices.map(({ startsAt }) => startsAt) ?? [];
  return starts.length === 0 ? null : starts.reduce((first, at) => Math.min(first, at));
}

function silenceSentence(book: SourceBook, notices: readonly NoticeFact[]): Said {
  const [id] = notices.flatMap(({ silencedBy }) => silencedBy);
  const silence = id === undefined ? undefined : book.silences.get(id);
  if (silence === undefined) return plain('A silence holds it back.');
  const comment = silence.comment === '' ? '' : `: ${withoutStop(silence.comment)}`;
  return plain(
    `A silence by ${silence.by === '' ? 'somebody' : silence.by} holds it back until ${utc(silence.endsAt)}${comment}.`,
  );
}

function receiverWords(book: SourceBook, heard: HeardAlert | null): string {
  const words = receiverList(book, heard?.notices ?? []);
  return words.length === 0 ? 'no receiver' : words.join(', ');
}

/** Receivers with what they call with: "oncall (pagerduty)". */
function receiverList(book: SourceBook, notices: readonly NoticeFact[]): readonly string[] {
  const all = notices.flatMap((notice) =>
    noticeReceivers(book, notice).map(({ name, calls }) =>
      calls.length === 0 ? name : `${name} (${calls.join(', ')})`,
    ),
  );
  return [...new Set(all)].slice(0, 10);
}

function chainAlert(book: SourceBook, heard: HeardAlert): ChainAlert {
  const { alert, notices } = heard;
  return {
    source: book.source().name,
    name: heard.name,
    by: heard.by,
    state: alertState(book, heard),
    labels: heard.labels,
    since: alert?.activeAt ?? startOf(heard) ?? 0,
    receivers: receiverList(book, notices),
  };
}

function alertState(book: SourceBook, { alert, notices }: HeardAlert): ChainAlert['state'] {
  if (alert?.state === 'pending') return 'pending';
  if (notices.length === 0) return 'firing';
  const processed = notices.filter(isProcessed);
  if (processed.length === 0) return 'unknown';
  const free = processed.filter(({ state }) => state !== 'suppressed');
  if (free.length === 0) return 'held-back';
  return free.some((notice) => noticeReceivers(book, notice).some(({ calls }) => calls.length > 0))
    ? 'sounding'
    : 'unheard';
}

/** Mend of a broken link, one sentence. */
function mendOf(link: AlarmLink, { ref, verdict }: CurrentObject, reach: Reach, book: SourceBook | null): string {
  const rule = reach.type === 'unknown' ? null : reach.rule;
  const name = rule?.name ?? 'the rule';
  switch (link) {
    case 'series':
      if (verdict === 'stale') return staleMend;
      return `Let kube-state-metrics export ${ref.kind}: plumbline rules writes its configuration.`;
    case 'rule':
      if (verdict === 'stale') return staleMend;
      return `Load a rule that reads ${ref.kind} on ${ref.cluster}: plumbline rules writes it.`;
    case 'evaluation':
      if (verdict === 'stale') return staleMend;
      return rule?.health === 'err'
        ? `Mend the expression of ${name}.`
        : `See why its group, ${rule?.group ?? ''}, is not evaluated.`;
    case 'condition':
      if (verdict === 'stale') return staleMend;
      if (rule !== null && clockResets(rule)) return steadyMend(name);
      return `Compare the expression of ${name} with what the object says: ready!="True" finds False, Unknown and a missing condition, ready="False" does not.`;
    case 'hold':
      return rule !== null && clockResets(rule) ? steadyMend(name) : `Shorten the "for" of ${name}.`;
    case 'delivery':
      return 'Check which Alertmanagers Prometheus sends to, and what alert_relabel_configs drops.';
    case 'silence':
      return 'End the silence if its reason is gone.';
    case 'inhibition':
      return 'See whether the alert that inhibits it calls the right people.';
    case 'mute':
      return `Take it out of the mute time interval of its route.`;
    case 'receiver':
      return receiverMend(book, reach, name);
    case 'news':
      if (rule !== null && countedVerdicts(rule).length > 0)
        return callsOnce(rule)
          ? `${name} calls once for all of a kind on a cluster. ${onceMend}`
          : `It was sounding for what left git in the same five minutes: lengthen the "for" of ${name} to at least that.`;
      return `Let ${name} keep the labels that name the object.`;
  }
}

/** Mend of an alert that calls nobody: the operator of Prometheus may have kept it from the route that was made for it. */
function receiverMend(book: SourceBook | null, reach: Reach, name: string): string {
  const [notice] = reach.type === 'unknown' ? [] : (reach.heard?.notices ?? []);
  const labels = notice?.labels ?? {};
  const labelOf = (label: string): string => (Object.hasOwn(labels, label) ? (labels[label] ?? '') : '');
  const route = book === null || notice === undefined ? null : namespaceRoute(book, labelOf);
  return route === null
    ? `Route ${name} to a receiver with an integration.`
    : `The route to ${route.receiver} takes alerts with namespace="${route.namespace}" alone, which this one does not have. ${namespaceMend}`;
}

/** Mend of what is stale: it says what it said last, so no rule on what objects say of themselves finds it. */
const staleMend =
  'It says what it said last, so no rule on its metrics can find it: load NotAsInGit, which asks Plumbline. plumbline rules writes it.';

function steadyMend(name: string): string {
  return `Aggregate ${name} by labels that stay the same: its clock begins anew with each change of the others.`;
}

function seconds(ms: number): string {
  const s = Math.round(ms / 1000);
  return s < 120 ? `${s} s` : s % 3600 === 0 ? `${s / 3600} h` : `${Math.round(s / 60)} min`;
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

/** A time (ms) as people write it: "2026-11-21 03:10 UTC". */
function utc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
