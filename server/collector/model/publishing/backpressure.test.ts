import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { WriteBatch } from '#server/store/port/port.ts';
import { settled } from '../../clusters/testing/until.ts';
import { startClusterModel, type ClusterModel } from '../cluster-model.ts';
import { createBackpressure } from './backpressure.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, offering, revision } from '../testing/objects.ts';

const { gitRepository } = kinds;
let clock: FakeClock;
let model: ClusterModel;
let written: WriteBatch[];
let isFull: boolean;
let makeRoom: () => void;
/** Makes objects only. */
let bed: Bed;

beforeEach(() => {
  clock = fakeClock();
  written = [];
  isFull = false;
  makeRoom = () => undefined;
  bed = startBed();
  model = startClusterModel({
    cluster: 'c1',
    labels: {},
    policy: defaultPolicy,
    clock,
    restored: null,
    keepMessages: true,
    write: (batch) => void written.push(batch),
    room: () => (isFull ? new Promise((resolve) => (makeRoom = resolve)) : null),
  });
  model.take({ type: 'connected', at: clock.now(), protocol: 'h2', version: null });
  model.take({ type: 'kinds', at: clock.now(), kinds: [gitRepository], absent: [] });
});

afterEach(() => {
  model.stop();
  bed.model.stop();
});

function offer(digit: string, initial = false): void {
  const object = bed.object(gitRepository, 'control', offering(clock.now(), revision(digit)));
  model.take({ type: 'applied', at: clock.now(), kind: gitRepository, initial, object });
}

function list(): void {
  model.take({ type: 'sync-start', at: clock.now(), kind: gitRepository });
  offer('a', true);
  model.take({ type: 'sync-end', at: clock.now(), kind: gitRepository, resourceVersion: '1' });
  model.take({ type: 'feed', at: clock.now(), kind: gitRepository, feed: { state: 'live' } });
}

function revisions(): readonly (string | null)[] {
  return written.flatMap(({ objects }) => objects.map(({ object }) => object.revision.applied));
}

async function room(): Promise<void> {
  isFull = false;
  makeRoom();
  await settled();
  clock.advance(200);
}

it('while the record is behind nothing is written, and what changed meanwhile is written once', async () => {
  list();
  clock.advance(25_000);
  expect(revisions()).toEqual([revision('a')]);
  isFull = true;
  const before = written.length;
  for (const digit of ['b', 'c', 'd', 'e']) {
    offer(digit);
    clock.advance(5_000);
  }
  expect(written).toHaveLength(before);
  await room();
  expect(revisions()).toEqual([revision('a'), revision('e')]);
});

it('a first sync waits for room, and is stored once there is', async () => {
  isFull = true;
  list();
  clock.advance(40_000);
  expect(written).toEqual([]);
  await room();
  expect(revisions()).toEqual([revision('a')]);
  expect(written.at(-1)?.cluster?.state).toBe('live');
});

it('an end writes what is left, room or not', () => {
  list();
  clock.advance(25_000);
  isFull = true;
  offer('b');
  model.stop();
  expect(revisions()).toEqual([revision('a'), revision('b')]);
});

it('holds until there is room, wakes once, and tells how long it held', async () => {
  let woken = 0;
  let asked = 0;
  let full = true;
  let free = (): void => undefined;
  const pressure = createBackpressure(
    () => {
      asked += 1;
      return full ? new Promise((resolve) => (free = resolve)) : null;
    },
    () => void woken++,
  );
  expect(pressure.lasted(5)).toBe(0);
  expect([pressure.holds(10), pressure.holds(20), asked]).toEqual([true, true, 1]);
  free();
  await settled(1);
  expect([woken, pressure.holds(30), asked]).toEqual([1, true, 2]);
  full = false;
  free();
  await settled(1);
  expect([woken, pressure.holds(40), pressure.lasted(40), pressure.lasted(50)]).toEqual([2, false, 30, 0]);
});
