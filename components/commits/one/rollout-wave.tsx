'use client';

import './wave.css';
import type { ReactNode } from 'react';
import { clusterPath } from '#lib/api/paths.ts';
import { timesNotKnownWords } from '#lib/api/git/times-not-known.ts';
import { afterText, waveText, waveWord } from '#lib/draw/wave/wave-text.ts';
import { hasCome, type WaveCluster } from '#lib/draw/wave/wave-cluster.ts';
import { curveBox, waveOf, waveTicks, type WaveGroup, type WaveLine } from '#lib/draw/wave/wave.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';
import { PageLink as Link } from '../../ui/page-link.tsx';
import { Section } from '../../ui/page/page.tsx';
import { FateGlyph } from '../fate-glyph.tsx';

const mostTicks = 7;

interface RolloutWaveProps {
  readonly clusters: readonly WaveCluster[];
  /** Times in ms: of the commit, and up to which its way is known. */
  readonly committedAt: number;
  readonly knownAt: number;
}

/** The way of a commit from cluster to cluster: a line each along the time since it was made, environment by environment. */
export function RolloutWave({ clusters, committedAt, knownAt }: RolloutWaveProps) {
  const { period, cut, groups } = waveOf(clusters, committedAt, knownAt);
  const words = new Map(clusters.map((cluster) => [cluster.cluster, endText(cluster, committedAt)]));
  const open = clusters.some((cluster) => !hasCome(cluster));
  const note = (
    <>
      time since the commit, cluster by cluster; the same in figures under{' '}
      <a className="link" href="#clusters">
        Clusters
      </a>
    </>
  );
  return (
    <Section id="rollout" title="Rollout" note={note}>
      <div className="wave">
        {groups.map((group) => (
          <Group
            key={group.environment}
            group={group}
            words={waveText(
              clusters.filter(({ environment }) => environment === group.environment),
              committedAt,
            )}
          >
            {group.lines.map((line) => (
              <Line key={line.cluster} line={line} words={words.get(line.cluster) ?? ''} />
            ))}
          </Group>
        ))}
        <Axis
          ticks={waveTicks(period, committedAt, mostTicks)}
          end={open ? `now, ${afterText(knownAt, committedAt)}` : ''}
          cut={cut}
        />
      </div>
    </Section>
  );
}

/** End of a line in words: how long it took, or that it is open. */
function endText({ state, lastAt, notKnown }: WaveCluster, committedAt: number): string {
  const after =
    lastAt === null ? `time ${notKnown ? timesNotKnownWords[notKnown] : 'not known'}` : afterText(lastAt, committedAt);
  switch (state) {
    case 'converged':
      return after;
    case 'superseded':
    case 'failed-later':
      return lastAt === null ? waveWord[state] : `${after}, ${waveWord[state]}`;
    case 'on-its-way':
    case 'stuck':
    case 'unknown':
      return waveWord[state];
  }
}

interface GroupProps {
  readonly group: WaveGroup;
  readonly words: string;
  readonly children: ReactNode;
}

/** One environment: its name and figures, the curve where its clusters are many, their lines. */
function Group({ group: { environment, clusters, curve, lines }, words, children }: GroupProps) {
  const folded = clusters - lines.length;
  return (
    <section className="wave-group">
      <h3>
        {environment === '' ? 'no environment' : environment} <span>{words}</span>
      </h3>
      {curve !== null && (
        <div className="wave-row wave-curve">
          <span className="wave-name">{countOf(folded, lines.length === 0 ? 'cluster' : 'other cluster')}</span>
          <div className="wave-track" aria-hidden="true">
            <svg viewBox={`0 0 ${curveBox.width} ${curveBox.height}`} preserveAspectRatio="none">
              <path className="wave-area" d={curve} />
              <path className="wave-edge" d={curve} />
            </svg>
          </div>
          <span className="wave-end">share that has it</span>
        </div>
      )}
      <ul>{children}</ul>
    </section>
  );
}

/** Height of a line's box; its width is 1,000, stretched. */
const middle = 10;

function Line({ line, words }: { readonly line: WaveLine; readonly words: string }) {
  const { cluster, state, offered, waited, spread, arrived } = line;
  return (
    <li className={`wave-row is-${state}`}>
      <Link className="quiet-link wave-name" href={clusterPath(cluster)} prefetch={false}>
        {cluster}
      </Link>
      <div className="wave-track" aria-hidden="true">
        <svg viewBox={`0 0 1000 ${2 * middle}`} preserveAspectRatio="none">
          {waited !== null && <path className="wave-waited" d={level(waited)} />}
          {spread !== null && <path className="wave-spread" d={level(spread)} />}
          {offered !== null && <path className="wave-offered" d={`M${share(offered)} ${middle - 5}v10`} />}
        </svg>
        <span className="wave-mark" style={{ left: `${(arrived ?? 1) * 100}%` }}>
          {(arrived !== null || waited !== null) && <FateGlyph state={state} size={11} />}
        </span>
      </div>
      <span className="wave-end">{words}</span>
    </li>
  );
}

function level([from, to]: readonly [number, number]): string {
  return `M${share(from)} ${middle}H${share(to)}`;
}

function share(of: number): number {
  return Math.round(of * 10_000) / 10;
}

interface AxisProps {
  readonly ticks: ReturnType<typeof waveTicks>;
  readonly end: string;
  /** Time between the last tick and the end is left out. */
  readonly cut: boolean;
}

function Axis({ ticks, end, cut }: AxisProps) {
  return (
    <div className="wave-row wave-axis" aria-hidden="true">
      <span className="wave-name" />
      <div className="wave-track">
        {ticks.map(({ at, after }) => (
          <span key={after} style={{ left: `${at * 100}%` }} className={at > 0.94 ? 'late' : undefined}>
            {after === 0 ? 'commit' : formatDuration(after)}
          </span>
        ))}
        {cut && <span className="wave-cut">//</span>}
      </div>
      <span className="wave-end">{end}</span>
    </div>
  );
}
