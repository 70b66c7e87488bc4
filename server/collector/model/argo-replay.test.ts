// What Argo CD 3.2.11 wrote (test/fixtures/timeline/argocd.jsonl.gz), write by write with its own times, through adapter, model and judge.
import { beforeAll, describe, expect, it } from 'vitest';
import { textAt } from '#lib/foreign.ts';
import { recordedTimeline, type RecordedLine } from '#test/fixtures/recorded.ts';
import type { WatchedKind } from '../clusters/cluster-event.ts';
import { startBed, type Bed } from './testing/bed.ts';

const application: WatchedKind = {
  group: 'argoproj.io',
  kind: 'Application',
  version: 'v1alpha1',
  resource: 'applications',
  namespaced: true,
  categories: [],
};
const lines = recordedTimeline('argocd');
const start = lines[0]?.at ?? 0;

/** The first recorded write of an Application that fits. */
function writeOf(name: string, fits: (line: RecordedLine) => boolean): RecordedLine {
  const found = lines.find((line) => textAt(line.object, 'metadata', 'name') === name && fits(line));
  if (found === undefined) throw new Error(`no such write of ${name} was recorded`);
  return found;
}

function isSynced({ object }: RecordedLine): boolean {
  return textAt(object, 'status', 'sync', 'status') === 'Synced';
}

let bed: Bed;

beforeAll(() => {
  bed = startBed(null, start - 20_000);
  bed.open([[application]]);
  for (const line of lines) {
    bed.clock.set(line.at);
    bed.write(application, line.object);
  }
  bed.clock.advance(5_000);
  return () => bed.model.stop();
});

describe('Argo CD as it was recorded', () => {
  it.each(['healed', 'left', 'kept'])('%s is never green before it was synced', (name) => {
    const first = writeOf(name, isSynced).at;
    const green = bed.transitions(name).find(({ to }) => to === 'converged');
    expect(green?.at).toBe(first);
  });

  it('what was never synced is never green', () => {
    expect(bed.verdicts('unknown-kind')).toEqual(['progressing', 'diverged']);
    expect(bed.verdicts('by-hand')).not.toContain('converged');
    expect(bed.verdicts('no-path')).toEqual(['progressing', 'stale']);
  });

  it('drift in the second of the sync began with the write that tells of it, though its comparison is not dated', () => {
    const synced = writeOf('left', isSynced);
    const drifted = writeOf('left', (line) => line.at > synced.at && !isSynced(line));
    expect(textAt(drifted.object, 'status', 'reconciledAt')).toBe(
      textAt(drifted.object, 'status', 'operationState', 'finishedAt'),
    );
    expect(bed.at('left')).toMatchObject({ verdict: 'drifted', drift: 'found' });
    expect(bed.at('left').onset).toMatchObject({ time: drifted.at, bound: 'exact' });
  });

  it('what self-heal undid within two seconds is one correction, and it stays green', () => {
    expect(bed.at('healed')).toMatchObject({ verdict: 'converged', drift: 'corrected' });
    expect(bed.recorded('healed').detail.corrections).toEqual([
      {
        at: Date.parse('2026-11-23T09:09:52.395Z'),
        certainty: 'confirmed',
        said: 'ConfigMap/apps/argo-healed configured',
        count: 1,
      },
    ]);
    expect(bed.verdicts('healed').filter((verdict) => verdict !== 'progressing')).toEqual(['converged']);
  });

  it('a first sync is no correction', () => {
    for (const name of ['left', 'kept']) expect(bed.recorded(name).detail.corrections).toEqual([]);
  });
});
