import { describe, expect, it } from 'vitest';
import type { Correction } from '#lib/domain/record/current.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { numberAt, textAt, timeAt, type ForeignObject } from '#lib/foreign.ts';
import { recordedTimeline, type RecordedLine } from '#test/fixtures/recorded.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import type { CorrectionMemory } from '../correction-run.ts';
import { corrections } from '../registry.ts';
import { observedEvent, observed } from '../testing.ts';

interface Tracked {
  settled: Observation;
  memory: CorrectionMemory | null;
  readonly found: Correction[];
}

const revisionKey = 'kustomize.toolkit.fluxcd.io/revision';

function eventOf(object: ForeignObject): ObservedEvent {
  const revision = textAt(object, 'metadata', 'annotations', revisionKey);
  return observedEvent({
    uid: textAt(object, 'metadata', 'uid') ?? '',
    about: {
      group: '',
      kind: textAt(object, 'involvedObject', 'kind') ?? '',
      namespace: '',
      name: textAt(object, 'involvedObject', 'name') ?? '',
    },
    type: textAt(object, 'type') ?? '',
    reason: textAt(object, 'reason') ?? '',
    message: textAt(object, 'message') ?? '',
    count: numberAt(object, 'count') ?? 1,
    lastAt: timeAt(object, 'lastTimestamp'),
    annotations: revision === null ? {} : { [revisionKey]: revision },
  });
}

/** Replays a timeline as the engine would: events against the last settled observation, and each settled observation by itself. */
function replay(name: string): Map<string, Tracked> {
  const tracked = new Map<string, Tracked>();
  for (const line of recordedTimeline(name)) {
    if (line.type === 'DELETED') continue;
    if (line.path.endsWith('/kustomizations')) takeObject(tracked, line);
    if (line.path.endsWith('/events')) takeEvent(tracked, line);
  }
  return tracked;
}

function takeObject(tracked: Map<string, Tracked>, line: RecordedLine): void {
  const observation = observed(line.object, [], line.at);
  if (observation.summary.said === 'busy') return;
  const known = tracked.get(observation.ref.name) ?? { settled: observation, memory: null, found: [] };
  tracked.set(observation.ref.name, known);
  known.settled = observation;
  take(known, null, line.at);
}

function takeEvent(tracked: Map<string, Tracked>, line: RecordedLine): void {
  const event = eventOf(line.object);
  const known = event.about.kind === 'Kustomization' ? tracked.get(event.about.name) : undefined;
  if (known !== undefined) take(known, event, line.at);
}

function take(known: Tracked, event: ObservedEvent | null, at: number): void {
  const step = corrections('flux', known.memory, event, known.settled, at);
  known.memory = step?.memory ?? null;
  if (step?.correction) known.found.push(step.correction);
}

describe('corrections in the timeline of nine minutes', () => {
  const tracked = replay('flux');
  const found = (name: string): readonly Correction[] => tracked.get(name)?.found ?? [];
  const handEdit = 1_795_246_498_967;

  it('one edit by hand is one confirmed correction, within its interval', () => {
    expect(found('drifty')).toEqual([
      { at: expect.any(Number), certainty: 'confirmed', said: 'ConfigMap/apps/drifty configured', count: 1 },
    ]);
    const at = found('drifty')[0]?.at ?? 0;
    expect(at).toBeGreaterThan(handEdit);
    expect(at).toBeLessThan(handEdit + 30_000);
  });

  it('a commit that changes the content is no correction (good: raised, broken, mended)', () => {
    expect(found('good')).toEqual([]);
  });

  it('a fight is contested from its third correction in a row', () => {
    expect(found('contested').map((correction) => correction.certainty)).toEqual([
      'confirmed',
      'confirmed',
      'contested',
      'contested',
      'contested',
    ]);
    expect(found('contested').every((correction) => correction.count === 1)).toBe(true);
  });

  it('a live object that opted out is left alone, so nothing is found', () => {
    expect(found('prune-off')).toEqual([]);
  });

  it('two Kustomizations that apply one object correct each other for ever: contested', () => {
    expect(found('base').at(-1)?.certainty).toBe('contested');
    expect(found('on-other').at(-1)?.certainty).toBe('contested');
  });

  it('what never applied corrects nothing', () => {
    for (const name of ['badbuild', 'badapply', 'nopath', 'nosource', 'waits', 'unhealthy'])
      expect(found(name)).toEqual([]);
  });

  it('the memory stays bounded and is plain JSON', () => {
    for (const { memory } of tracked.values()) {
      expect(JSON.parse(JSON.stringify(memory))).toEqual(memory);
      expect(JSON.stringify(memory).length).toBeLessThan(3000);
    }
  });
});

describe('corrections in eighteen minutes of thinned Events', () => {
  const tracked = replay('conflicts');

  it.each(['shared1', 'on-tag', 'on-slash', 'on-pinned'])('%s: counts are differences, and it is contested', (name) => {
    const found = tracked.get(name)?.found ?? [];
    expect(found.length).toBeGreaterThan(0);
    expect(found.at(-1)?.certainty).toBe('contested');
    expect(found.at(-1)?.said).toMatch(/ configured$/);
    // One Event in 5 min stands for about 15 passes of 20 s.
    expect(Math.max(...found.map((correction) => correction.count))).toBeLessThan(40);
  });
});
