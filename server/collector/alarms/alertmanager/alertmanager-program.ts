import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { AlarmFact, NoticeFact, ReceiverFact, RoutingFact, SilenceFact } from '#lib/domain/alarm/fact.ts';
import { countOf } from '#lib/format/number.ts';
import type { Ask } from '../asking/ask.ts';
import { nextDue, often, orFailed, type Program, type ProgramDeps, seldom } from '../source/program.ts';
import { createStanding } from '../source/standing.ts';
import { createLabelReader, type LabelReader } from '../words.ts';
import { nextCalls } from './calls.ts';
import { type TimedRoutes, withMutes } from './mutes.ts';
import { type AlertGroups, readGroups } from './read-groups.ts';
import { readNotices } from './read-notices.ts';
import { readRouting } from './read-routing.ts';
import { readSilences } from './read-silences.ts';

/** Starts with what is stored; reads routes and receivers, alerts and silences, and tells the calls. */
export function alertmanagerProgram(deps: ProgramDeps): Program {
  const { entry, address, ask, clock, log, random, signal, turn, stored, onRead, readsObjects } = deps;
  const { name: source, attribution } = entry;
  const mutesTold = (): Promise<readonly NoticeFact[]> => withToldMutes(told, routing, timed, turn);
  const standing = createStanding('alertmanager', address, ['status', 'alerts'], clock.now());
  const readLabels = createLabelReader(attribution.label);
  const own = ownFacts(stored, address);
  let { routing, notices, silences } = own;
  let told: Told = { notices, groups: null, at: clock.now() };
  let timed: TimedRoutes | null = null;
  let cutRouting: readonly string[] = [];
  let cutAlerts: readonly string[] = [];
  let open: ReadonlyMap<string, AlarmCall> = new Map(
    deps.openCalls.filter(({ key }) => key.startsWith(`${address} `)).map((call) => [call.key, call]),
  );
  const begun = clock.now() + random() * 1_000;
  let statusDue = begun;
  let alertsDue = begun;

  async function readStatus(): Promise<void> {
    const from = clock.now();
    statusDue = nextDue(from, seldom, random);
    const reading = await orFailed(log, async () => {
      const answer = await ask('/api/v2/status');
      return answer.type === 'ok' ? readRouting(answer.body, address, turn) : answer;
    });
    if (signal.aborted) return;
    if (reading.type === 'failed') {
      // Without receivers nobody is known to be called: it is asked again as soon as for its alerts.
      statusDue = nextDue(from, often, random);
      standing.failed('status', reading.reason, clock.now());
    } else {
      ({ facts: routing, timed } = reading);
      notices = await mutesTold();
      cutRouting = reading.cut;
      standing.succeeded('status', from, clock.now(), false);
    }
    onRead(from, []);
  }

  async function readAlerts(): Promise<void> {
    const from = clock.now();
    alertsDue = nextDue(from, often, random);
    const mayMute = timed !== null && timed.size > 0;
    const reading = await orFailed(log, () => readHeld(ask, address, readLabels, turn, mayMute));
    if (signal.aborted) return;
    if (reading.type === 'failed') {
      standing.failed('alerts', reading.reason, clock.now());
      return onRead(from, []);
    }
    ({ silences, cut: cutAlerts } = reading);
    told = { ...reading, at: from };
    notices = await mutesTold();
    standing.succeeded('alerts', from, clock.now(), true);
    // Whom receivers call is not known before the first status, and not to be trusted while it cannot be read.
    const isKnown = standing.now().state === 'live';
    const calls = isKnown
      ? nextCalls(open, notices, { source, attribution, at: from, calling: callingOf(routing), readsObjects })
      : null;
    open = calls?.open ?? open;
    onRead(from, calls?.changes ?? []);
  }

  return {
    tasks: [
      { dueAt: () => statusDue, run: readStatus },
      { dueAt: () => alertsDue, run: readAlerts },
    ],
    standing: standing.now,
    facts: (): readonly (readonly AlarmFact[])[] => [routing, notices, silences],
    cut: () => [...cutRouting, ...cutAlerts],
    untold: () => untoldText(address, notices),
  };
}

/** Alerts as they were told, and when (ms). */
type Told = Pick<Held, 'notices' | 'groups'> & { readonly at: number };

/** Alerts with what mutes them; `timed`: the routes that a time interval may mute, null until they were read. */
async function withToldMutes(
  { notices, groups, at }: Told,
  routing: OwnFacts['routing'],
  timed: TimedRoutes | null,
  turn: () => Promise<void>,
): Promise<readonly NoticeFact[]> {
  if (timed === null) return notices;
  const root = routing.find((fact) => fact.type === 'routing')?.root ?? null;
  return withMutes(notices, { root, timed, calling: callingOf(routing), groups, at }, turn);
}

/** Sentence on alerts of which nobody knows whether they call. */
function untoldText(address: string, notices: readonly NoticeFact[]): string | null {
  const count = notices.filter(({ state }) => state === 'untold').length;
  if (count === 0) return null;
  return `${address} does not say whether a time interval mutes ${countOf(count, 'alert')}: Alertmanager does since 0.28, under /api/v2/alerts/groups.`;
}

interface Held {
  readonly notices: readonly NoticeFact[];
  /** null where they were not asked for, or cannot be read. */
  readonly groups: AlertGroups | null;
  readonly silences: readonly SilenceFact[];
  readonly cut: readonly string[];
}

type HeldReading = ({ readonly type: 'ok' } & Held) | { readonly type: 'failed'; readonly reason: string };

/** Alerts and what holds them back; their groups where `mayMute`. One that does not answer is not asked again: each answer may take its whole time. */
async function readHeld(
  ask: Ask,
  address: string,
  readLabels: LabelReader,
  turn: () => Promise<void>,
  mayMute: boolean,
): Promise<HeldReading> {
  const alerts = await ask('/api/v2/alerts');
  const notices = alerts.type === 'ok' ? await readNotices(alerts.body, address, readLabels, turn) : alerts;
  if (notices.type === 'failed') return notices;
  const answer = await ask('/api/v2/silences');
  const silences = answer.type === 'ok' ? await readSilences(answer.body, turn) : answer;
  if (silences.type === 'failed') return silences;
  const grouped = mayMute ? await ask('/api/v2/alerts/groups') : null;
  const groups = grouped?.type === 'ok' ? await readGroups(grouped.body, turn) : null;
  const cut = [...notices.cut, ...silences.cut];
  return { type: 'ok', notices: notices.facts, groups, silences: silences.facts, cut };
}

interface OwnFacts {
  readonly routing: readonly (RoutingFact | ReceiverFact)[];
  readonly notices: readonly NoticeFact[];
  readonly silences: readonly SilenceFact[];
}

/** A silence does not say whose it is: Alertmanagers of one cluster share them. */
function ownFacts(stored: readonly AlarmFact[], address: string): OwnFacts {
  return {
    routing: stored.filter(
      (fact): fact is RoutingFact | ReceiverFact =>
        (fact.type === 'routing' && fact.key === address) ||
        (fact.type === 'receiver' && fact.alertmanager === address),
    ),
    notices: stored.filter((fact) => fact.type === 'notice').filter(({ alertmanager }) => alertmanager === address),
    silences: stored.filter((fact) => fact.type === 'silence'),
  };
}

function callingOf(routing: OwnFacts['routing']): ReadonlySet<string> {
  return new Set(routing.flatMap((fact) => (fact.type === 'receiver' && fact.calls.length > 0 ? [fact.name] : [])));
}
