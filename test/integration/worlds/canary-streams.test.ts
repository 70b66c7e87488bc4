// What a stream tells after its first frame, while the fleet outside of a view changes.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { sampleDetail, sampleDiverged, sampleNow } from '#server/web/testing/sample.ts';
import { fires } from './canary/canary-alarms.ts';
import { canaryClusters, canaryObjects, canaryOf, own, roots, waiting } from './canary/canary-fleet.ts';
import { type CanaryWeb, canaryWeb, leaksIn, outside, type ViewerName } from './canary/canary-web.ts';
import { type Canary, canaries, here, there } from './canary/canary-words.ts';

let running: CanaryWeb;
beforeAll(async () => {
  running = await canaryWeb();
});
afterAll(() => running.stop());

/** A stream that is open. */
interface Listening {
  readonly name: ViewerName;
  readonly topic: string;
  /** All that it has told since it was last asked. */
  heard(): string;
  close(): void;
}

async function listen(name: ViewerName, topic: string): Promise<Listening> {
  const stop = new AbortController();
  const response = await running.web.get(`/api/v1/stream?${topic}`, {
    headers: { 'x-viewer': name },
    signal: stop.signal,
  });
  expect([topic, response.status]).toEqual([topic, 200]);
  let told = '';
  const decoder = new TextDecoder();
  void (async () => {
    for await (const part of response.body ?? []) told += decoder.decode(part, { stream: true });
  })().catch(() => undefined);
  return {
    name,
    topic,
    heard() {
      const news = told;
      told = '';
      return news;
    },
    close: () => stop.abort(),
  };
}

function topicsOf(name: ViewerName): readonly string[] {
  const seen = name === 'otherNamespace' ? [roots[canaries.beside]] : [waiting, own];
  return [
    'topic=summary',
    'topic=fleet',
    'topic=incidents',
    `topic=cluster&cluster=${here}`,
    ...seen.map((ref) => `topic=object&${new URLSearchParams({ ...ref }).toString()}`),
  ];
}

/** Lets what has changed be followed and told. */
async function pass(): Promise<void> {
  await running.web.advance(2_600);
  await new Promise((resolve) => setTimeout(resolve, 50));
}

function clusterNow(name: string, lost: boolean): void {
  const cluster = canaryClusters.find((one) => one.name === name);
  if (cluster === undefined) throw new Error(`no cluster ${name}`);
  running.store.cluster({
    ...cluster,
    validUntil: running.web.clock.now() + hour,
    ...(lost && { state: 'unreachable', reason: `lost ${canaries.elsewhere}`, since: running.web.clock.now() }),
  });
}

/** Another object fails in a part of the fleet, by itself or by its root. */
function fails(canary: Canary, name: string, byRoot: boolean): void {
  const root = roots[canary];
  const ref = { ...root, name: `${name}-${canary}` };
  const cause = byRoot ? ({ type: 'object', ref: root } as const) : null;
  const object = sampleDiverged(ref, {
    message: `new ${canary}`,
    sentence: `New ${canary}.`,
    reason: `New${canary}`,
    rootCause: cause,
  });
  running.store.object(object, sampleDetail(object));
  const openedAt = running.web.clock.now() - minute;
  running.store.absence({
    ref,
    uid: object.uid,
    openedAt,
    noticedAt: openedAt,
    bound: 'exact',
    closedAt: null,
    ended: null,
    worst: 'diverged',
    reason: object.reason,
    rootCause: cause,
    range: null,
  });
}

/** Changes outside, one after another. */
const changes: Readonly<Record<string, (canary: Canary) => void>> = {
  'an object says something else': (canary) => {
    for (const object of canaryObjects.filter(({ ref }) => canaryOf(ref) === canary)) {
      const said = { ...object, message: `changed ${canary}`, reason: `Changed${canary}`, observedAt: sampleNow + day };
      running.store.object(said, sampleDetail(said));
    }
  },
  'an incident opens': (canary) => fails(canary, 'opens', false),
  'an incident grows': (canary) => fails(canary, 'grows', true),
  'an alarm fires': (canary) => {
    const ref = { ...roots[canary], name: `opens-${canary}` };
    for (const change of fires(ref, canary)) running.alarms.apply(change);
    const at = running.web.clock.now();
    running.store.write({ type: 'confirmed', ref, confirmedAt: at, observedAt: at, validUntil: at + hour });
  },
  'an object is gone': (canary) =>
    running.store.write({ type: 'removed', ref: { ...roots[canary], name: `opens-${canary}` } }),
  'a cluster is lost': () => clusterNow(there, true),
  'a cluster is seen again': () => clusterNow(there, false),
};

it('hold nothing of what changes outside of a view', { timeout: 240_000 }, async () => {
  // By label the same is seen as by cluster.
  const names = ['cluster', 'namespace', 'otherNamespace', 'everywhere', 'whole'] as const;
  for (const name of [here, there]) clusterNow(name, false);
  await pass();
  const open = (
    await Promise.all(names.map((name) => Promise.all(topicsOf(name).map((topic) => listen(name, topic)))))
  ).flat();
  await pass();
  const leaks: string[] = [];
  for (const { name, topic, heard } of open) {
    const first = heard();
    expect([name, topic, first.includes('event: reset')]).toEqual([name, topic, true]);
    leaks.push(...leaksIn(name, `${topic}, at first`, withoutAsked(topic, first)));
  }
  const toldWhole = new Set<string>();
  for (const [what, change] of Object.entries(changes))
    for (const canary of Object.values(canaries)) {
      change(canary);
      await pass();
      for (const { name, topic, heard } of open) {
        const news = heard();
        leaks.push(...leaksIn(name, `${topic} of ${name}, when ${what} (${canary})`, news));
        if (name === 'whole' && /event: (?!tick)/.test(news)) toldWhole.add(what);
        // A frame that changes nothing that is seen tells that something has changed.
        if (
          canary === canaries.elsewhere &&
          outside[name].includes(canary) &&
          topic !== 'topic=incidents' &&
          /event: (?!tick)/.test(news)
        )
          leaks.push(`${topic} of ${name}: a frame when ${what}: ${news.slice(0, 300)}`);
      }
    }
  for (const { close } of open) close();
  expect(leaks).toEqual([]);
  expect([...toldWhole].toSorted()).toEqual(Object.keys(changes).toSorted());
});

function withoutAsked(topic: string, text: string): string {
  return [...new URLSearchParams(topic).values()].reduce((left, word) => left.replaceAll(word, ''), text);
}
