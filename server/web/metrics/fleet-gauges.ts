import { Gauge, type Registry } from 'prom-client';
import { earlier, stepText } from '#lib/domain/alarm/check/since-step.ts';
import { second } from '#lib/domain/time/length.ts';
import type { ClusterFigures } from './fleet-figures.ts';

const states = [
  'connecting',
  'live',
  'unreachable',
  'unauthorized',
  'misconfigured',
  'declared',
  'unobserved',
] as const satisfies readonly ClusterFigures['state'][];

/** Makes the gauges of a fleet in a registry; gives what sets them, all anew. No label names an object. */
export function fleetGauges(registry: Registry) {
  const made: Gauge[] = [];

  function gauge(name: string, help: string, labelNames: readonly string[]): Gauge {
    const one = new Gauge({ name: `plumbline_${name}`, help, labelNames: [...labelNames], registers: [registry] });
    made.push(one);
    return one;
  }

  const ofKind = ['cluster', 'group', 'kind'];
  const objects = gauge('objects', 'Objects by verdict. Where there are none there is no series.', [
    ...ofKind,
    'verdict',
  ]);
  const objectsSince = gauge(
    'objects_since',
    'Objects that are not known to be as in git, by verdict and by the five minutes in which they left it: day of the month and time, UTC.',
    [...ofKind, 'verdict', 'since'],
  );
  const feeds = gauge(
    'feeds',
    'Kinds that are read, by the state of reading; 1 but of the kind other. Kinds without objects are left out.',
    [...ofKind, 'state'],
  );
  const feedWord = gauge('feed_last_word_timestamp_seconds', 'When something of a kind was received last.', ofKind);
  const state = gauge('cluster_state', '1 for the state that a cluster is in, 0 for the others.', ['cluster', 'state']);
  const since = gauge('cluster_state_since_timestamp_seconds', 'Since when a cluster is in its state.', ['cluster']);
  const word = gauge('cluster_last_word_timestamp_seconds', 'When something of a cluster was received last.', [
    'cluster',
  ]);

  function setKinds({ name: cluster, kinds }: ClusterFigures): void {
    for (const { group, kind, verdicts, since: byStep, feeds: byState, lastWordAt } of kinds) {
      const own = { cluster, group, kind };
      for (const [verdict, count] of verdicts) objects.set({ ...own, verdict }, count);
      for (const [verdict, steps] of byStep)
        for (const [start, count] of steps)
          objectsSince.set({ ...own, verdict, since: start === null ? earlier : stepText(start) }, count);
      for (const [name, count] of byState) feeds.set({ ...own, state: name }, count);
      if (lastWordAt !== null) feedWord.set(own, lastWordAt / second);
    }
  }

  return (figures: readonly ClusterFigures[]): void => {
    for (const one of made) one.reset();
    for (const each of figures) {
      const { name: cluster } = each;
      for (const one of states) state.set({ cluster, state: one }, each.state === one ? 1 : 0);
      since.set({ cluster }, each.since / second);
      if (each.lastWordAt !== null) word.set({ cluster }, each.lastWordAt / second);
      setKinds(each);
    }
  };
}
