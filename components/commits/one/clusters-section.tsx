'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import { waveStates, type WaveState } from '#lib/draw/wave/wave-cluster.ts';
import { waveWord } from '#lib/draw/wave/wave-text.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { Section } from '../../ui/page/page.tsx';
import type { ShownCluster } from '../commit-view.ts';
import { ClusterTable } from './cluster-table.tsx';

const text = parseAsString.withDefault('');
const parsers = { worst: text, state: text, environment: text, all: text };

/** Most lines before the rest is asked for. */
const shownAtFirst = 60;

/** Clusters that are asked for: those whose worst state is `worst`, with an object in `state`, of an environment ('-': of none). */
interface Narrowed {
  readonly worst: WaveState | null;
  readonly state: WaveState | null;
  readonly environment: string;
}

interface ClustersSectionProps {
  readonly clusters: readonly ShownCluster[];
  readonly committedAt: number;
}

/** The clusters, narrowed by state and environment in the URL; the first of many, worst first. */
export function ClustersSection({ clusters, committedAt }: ClustersSectionProps) {
  const [found, set] = useQueryStates(parsers, { history: 'replace' });
  const wanted = { worst: stateOf(found.worst), state: stateOf(found.state), environment: found.environment };
  const words = narrowedText(wanted);
  const kept = clusters.flatMap((cluster) => narrowed(cluster, wanted));
  const rows = found.all === 'true' ? kept : kept.slice(0, shownAtFirst);
  return (
    <Section
      id="clusters"
      title="Clusters"
      note={`${countOf(clusters.length, 'cluster')}, worst first; first and last of all objects of its repository there`}
    >
      {words !== '' && (
        <p className="flex flex-wrap items-center gap-x-4 pb-2">
          <span>
            {formatCount(kept.length)} of {formatCount(clusters.length)}: {words}.
          </span>
          <button
            type="button"
            className="link screen-only py-1"
            onClick={() => void set({ worst: null, state: null, environment: null })}
          >
            All of them
          </button>
        </p>
      )}
      <ClusterTable key={words} clusters={rows} committedAt={committedAt} opened={wanted.state !== null} />
      {rows.length < kept.length && (
        <p className="flex flex-wrap items-center gap-x-4 py-2 text-mute">
          <span>
            {formatCount(rows.length)} of {countOf(kept.length, 'cluster')}
          </span>
          <button type="button" className="link screen-only py-1" onClick={() => void set({ all: 'true' })}>
            Show all
          </button>
        </p>
      )}
    </Section>
  );
}

function stateOf(text: string): WaveState | null {
  return waveStates.find((state) => state === text) ?? null;
}

/** A cluster with those of its objects that are asked for; none where it is not asked for. */
function narrowed(cluster: ShownCluster, { worst, state, environment }: Narrowed): ShownCluster | readonly [] {
  if (worst !== null && cluster.state !== worst) return [];
  if (environment !== '' && cluster.environment !== (environment === '-' ? '' : environment)) return [];
  if (state === null) return cluster;
  const objects = cluster.objects.filter((object) => object.state === state);
  return objects.length === 0 ? [] : { ...cluster, objects, count: Math.max(objects.length, cluster.counts[state]) };
}

function narrowedText({ worst, state, environment }: Narrowed): string {
  const where = environment === '' ? '' : environment === '-' ? 'without an environment' : `in ${environment}`;
  const holding = state === null ? '' : `with objects that are ${waveWord[state]}`;
  return [worst === null ? '' : waveWord[worst], where, holding].filter((word) => word !== '').join(' ');
}
