import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const usage = `Usage: npm run bench -- [options]

  --clusters N   simulated clusters (default 100; the bars are for 1,000)
  --kinds N      kinds with objects on each (default 30)
  --objects N    objects on each, over all kinds (default 1,000)
  --events N     passes a second while in step (default 2,000)
  --seconds N    how long the steady state is looked at (default 20; three times that while quiet)
  --changes N    changes from a cluster to the browser (default 120)
  --sse N        browsers that listen at once (default 500; 0 leaves it out)
  --spans N      spans of the record over 90 days, 60,000 objects and 1,000 clusters (default 10,000,000: some 4 GB on disk)
  --store DIR    where the store of the record is kept: it is written where there is none, and asked again where there is one; nothing
                 is recorded into it (default: none is kept)
  --only LIST    of: sync, steady, latency, answers, streams, matrix, record, incidents, git, alarms
                 (default: all but the last four)
  --away N       objects on each cluster that are not converged, for the alarms (default 100)
  --alerts N     alerts that fire over the whole fleet, for the alarms (default 20,000)
  --profile DIR  where CPU profiles of the collector, or of web over the alarms, go (default: none are taken; taking them slows it)
  --json FILE    where the figures go (default .plumbline/bench.json)
`;

/** Parts that can be left out. Everything up to `streams` needs the sync. */
const parts = [
  'sync',
  'steady',
  'latency',
  'answers',
  'streams',
  'matrix',
  'record',
  'incidents',
  'git',
  'alarms',
] as const;
export type Part = (typeof parts)[number];

/** Parts that run where nothing is said: writing a record takes longer than all else together, and a repository is no fleet. */
const unusual: ReadonlySet<Part> = new Set(['record', 'incidents', 'git', 'alarms']);
const usualParts = parts.filter((part) => !unusual.has(part));

/** Options of a run of the benchmark. */
export interface BenchOptions {
  readonly clusters: number;
  readonly kinds: number;
  readonly objects: number;
  readonly events: number;
  readonly seconds: number;
  readonly changes: number;
  readonly streams: number;
  readonly spans: number;
  /** Objects on each cluster that are not converged, and alerts of the whole fleet. */
  readonly away: number;
  readonly alerts: number;
  /** Where the store of the record is kept; null where it is not. */
  readonly store: string | null;
  readonly only: ReadonlySet<Part>;
  readonly profile: string | null;
  readonly json: string;
}

/** Reads the command line; a text where it cannot be understood, or where help was asked for. */
export function readOptions(args: readonly string[]): BenchOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        clusters: { type: 'string', default: '100' },
        kinds: { type: 'string', default: '30' },
        objects: { type: 'string', default: '1000' },
        events: { type: 'string', default: '2000' },
        seconds: { type: 'string', default: '20' },
        changes: { type: 'string', default: '120' },
        sse: { type: 'string', default: '500' },
        spans: { type: 'string', default: '10000000' },
        away: { type: 'string', default: '100' },
        alerts: { type: 'string', default: '20000' },
        store: { type: 'string' },
        only: { type: 'string', default: usualParts.join(',') },
        profile: { type: 'string' },
        json: { type: 'string', default: '.plumbline/bench.json' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return usage;
    const named = values.only.split(',');
    const unknown = named.find((name) => !parts.some((part) => part === name));
    if (unknown !== undefined) return `There is no part ${unknown}.\n\n${usage}`;
    return {
      clusters: count('clusters', values.clusters, 1),
      kinds: count('kinds', values.kinds, 6),
      objects: count('objects', values.objects, 100),
      events: count('events', values.events, 1),
      seconds: count('seconds', values.seconds, 1),
      changes: count('changes', values.changes, 1),
      streams: count('sse', values.sse, 0),
      spans: count('spans', values.spans, 100_000),
      away: count('away', values.away, 1),
      alerts: count('alerts', values.alerts, 1),
      store: values.store === undefined ? null : resolve(values.store),
      only: new Set(parts.filter((part) => named.includes(part))),
      profile: values.profile === undefined ? null : resolve(values.profile),
      json: resolve(values.json),
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`;
  }
}

function count(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name} must be a whole number of at least ${least}.`);
}
