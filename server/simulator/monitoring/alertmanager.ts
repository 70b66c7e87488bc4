import type { Labels, Matcher, Route } from '#lib/domain/alarm/fact.ts';
import type { AlertmanagerBoard, AlertmanagerConfig, Inhibition, KeptAlert, SentAlert, Silence } from './board.ts';
import { fingerprintOf } from './fingerprint.ts';
import { labelsTest } from './series.ts';

/** State of a silence at `now` (ms). */
export function silenceState({ startsAt, endsAt }: Silence, now: number): 'pending' | 'active' | 'expired' {
  if (now >= endsAt) return 'expired';
  return now < startsAt ? 'pending' : 'active';
}

/** A test that is made once for each list of matchers. */
const tests = new WeakMap<readonly Matcher[], (labels: Labels) => boolean>();

function isMatch(matchers: readonly Matcher[], labels: Labels): boolean {
  const known = tests.get(matchers) ?? labelsTest(matchers);
  tests.set(matchers, known);
  return known(labels);
}

/** Receivers that an alert is routed to, as Alertmanager walks its tree (dispatch/route.go Match); [] where the route does not match. */
export function receiversOf(route: Route, labels: Labels): readonly string[] {
  if (!isMatch(route.matchers, labels)) return [];
  const found: string[] = [];
  for (const child of route.routes) {
    const beneath = receiversOf(child, labels);
    found.push(...beneath);
    if (beneath.length > 0 && !child.continues) break;
  }
  return found.length === 0 ? [route.receiver] : found;
}

/** The alert that holds another back, by its fingerprint; null where none does (inhibit/inhibit.go). */
function inhibitorOf(
  inhibitions: readonly Inhibition[],
  labels: Labels,
  sources: ReadonlyMap<Inhibition, readonly Kept[]>,
): string | null {
  for (const inhibition of inhibitions) {
    const { source, target, equal } = inhibition;
    if (!isMatch(target, labels)) continue;
    // What is a source itself is not held back by one that is a target, too.
    const isBoth = isMatch(source, labels);
    const by = (sources.get(inhibition) ?? []).find(
      (one) =>
        equal.every((name) => (one.sent.labels[name] ?? '') === (labels[name] ?? '')) &&
        !(isBoth && isMatch(target, one.sent.labels)),
    );
    if (by) return by.fingerprint;
  }
  return null;
}

interface Kept {
  readonly fingerprint: string;
  readonly sent: SentAlert;
  readonly updatedAt: number;
}

/** An Alertmanager that alerts can be sent to. */
export interface Alertmanager extends AlertmanagerBoard {
  receive(alerts: readonly SentAlert[]): void;
}

/** Starts without an alert. `now` gives ms since the epoch. */
export function createAlertmanager(
  config: AlertmanagerConfig,
  silences: readonly Silence[],
  now: () => number,
): Alertmanager {
  const kept = new Map<string, Kept>();

  function lasting(): readonly Kept[] {
    const at = now();
    for (const [fingerprint, { sent }] of kept) if (sent.endsAt <= at) kept.delete(fingerprint);
    return [...kept.values()];
  }

  return {
    config,
    startedAt: now(),
    receive(alerts) {
      for (const sent of alerts) {
        const fingerprint = fingerprintOf(sent.labels);
        const startsAt = Math.min(sent.startsAt, kept.get(fingerprint)?.sent.startsAt ?? Infinity);
        kept.set(fingerprint, { fingerprint, sent: { ...sent, startsAt }, updatedAt: now() });
      }
    },
    *alerts(): Generator<KeptAlert> {
      const [at, all] = [now(), lasting()];
      const active = silences.filter((silence) => silenceState(silence, at) === 'active');
      const sources = new Map(
        config.inhibitions.map((one) => [one, all.filter(({ sent }) => isMatch(one.source, sent.labels))]),
      );
      for (const { fingerprint, sent, updatedAt } of all.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))) {
        const { labels } = sent;
        const inhibitor = inhibitorOf(config.inhibitions, labels, sources);
        yield {
          ...sent,
          fingerprint,
          updatedAt,
          silencedBy: active.filter(({ matchers }) => isMatch(matchers, labels)).map(({ id }) => id),
          inhibitedBy: inhibitor === null ? [] : [inhibitor],
          receivers: receiversOf(config.route, labels),
        };
      }
    },
    silences: () => silences,
  };
}
