import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { AlarmFact, NoticeFact, ReceiverFact, RoutingFact, SilenceFact } from '#lib/domain/alarm/fact.ts';
import type { Ask } from '../asking/ask.ts';
import { nextDue, often, orFailed, type Program, type ProgramDeps, seldom } from '../source/program.ts';
import { createStanding } from '../source/standing.ts';
import { createLabelReader, type LabelReader } from '../words.ts';
import { nextCalls } from './calls.ts';
import { readNotices } from './read-notices.ts';
import { readRouting } from './read-routing.ts';
import { readSilences } from './read-silences.ts';

/** Starts with what is stored; reads routes and receivers, alerts and silences, and tells the calls. */
export function alertmanagerProgram(deps: ProgramDeps): Program {
  const { entry, address, ask, clock, log, random, signal, turn, stored, onRead, readsObjects } = deps;
  const { name: source, attribution } = entry;
  const standing = createStanding('alertmanager', address, ['status', 'alerts'], clock.now());
  const readLabels = createLabelReader(attribution.label);
  const own = ownFacts(stored, address);
  let { routing, notices, silences } = own;
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
      return answer.type === 'ok' ? readRouting(answer.body, address) : answer;
    });
    if (signal.aborted) return;
    if (reading.type === 'failed') {
      // Without receivers nobody is known to be called: it is asked again as soon as for its alerts.
      statusDue = nextDue(from, often, random);
      standing.failed('status', reading.reason, clock.now());
    } else {
      routing = reading.facts;
      cutRouting = reading.cut;
      standing.succeeded('status', from, clock.now(), false);
    }
    onRead(from, []);
  }

  async function readAlerts(): Promise<void> {
    const from = clock.now();
    alertsDue = nextDue(from, often, random);
    const reading = await orFailed(log, () => readHeld(ask, address, readLabels, turn));
    if (signal.aborted) return;
    if (reading.type === 'failed') {
      standing.failed('alerts', reading.reason, clock.now());
      return onRead(from, []);
    }
    ({ notices, silences, cut: cutAlerts } = reading);
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
  };
}

type Held =
  | {
      readonly type: 'ok';
      readonly notices: readonly NoticeFact[];
      readonly silences: readonly SilenceFact[];
      readonly cut: readonly string[];
    }
  | { readonly type: 'failed'; readonly reason: string };

/** Alerts and what holds them back. One that does not answer is not asked again: each answer may take its whole time. */
async function readHeld(ask: Ask, address: string, readLabels: LabelReader, turn: () => Promise<void>): Promise<Held> {
  const alerts = await ask('/api/v2/alerts');
  const notices = alerts.type === 'ok' ? await readNotices(alerts.body, address, readLabels, turn) : alerts;
  if (notices.type === 'failed') return notices;
  const answer = await ask('/api/v2/silences');
  const silences = answer.type === 'ok' ? readSilences(answer.body) : answer;
  if (silences.type === 'failed') return silences;
  return { type: 'ok', notices: notices.facts, silences: silences.facts, cut: [...notices.cut, ...silences.cut] };
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
