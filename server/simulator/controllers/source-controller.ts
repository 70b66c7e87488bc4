import type { Random } from '../random.ts';
import { dropConditions, progressing } from '../objects/condition.ts';
import { artifactOf, sourceKinds, stampSource } from '../objects/source.ts';
import type { Offer, Source } from '../objects/source.ts';
import { createWriter } from './control-plane.ts';
import type { Controller, ControlPlane, Writer } from './control-plane.ts';
import { createWorkQueue, soonAgain } from './work-queue.ts';
import type { WorkQueue } from './work-queue.ts';

/** Outcome of a poll of the upstream. */
export type Fetched =
  | { readonly is: 'fetched'; readonly offer: Offer; readonly news: string }
  | { readonly is: 'failed'; readonly reason: string; readonly message: string };

/** One source as source-controller keeps it. */
export interface SourceHandle {
  readonly object: Source;
  /** Answers of the upstream at the next polls. */
  fetch: () => Fetched;
  /** Polls at once, as after `flux reconcile` or a webhook. */
  poll(): void;
  setSuspended(suspended: boolean): void;
}

/** Simulates source-controller on one cluster. */
export interface SourceController extends Controller {
  /** Takes a source on. `interval` in ms; the first poll comes at a random time within it. */
  add(object: Source, interval: number, fetch: () => Fetched): SourceHandle;
  find(kind: string, namespace: string, name: string): Source | null;
  /** Tells of every new artifact. */
  onArtifact(listener: (source: Source) => void): void;
}

interface Item extends SourceHandle {
  readonly interval: number;
  retries: number;
}

const firstRetry = 750;
const longestRetry = 192_000;

function key(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

/** Parts that the parts of the controller work with. */
interface Parts {
  readonly plane: ControlPlane;
  readonly queue: WorkQueue<Item>;
  readonly writer: Writer<Source>;
  readonly random: Random;
  /** Plans the next poll after the interval. */
  again(item: Item): void;
  /** Tells of a new artifact. */
  announce(source: Source): void;
}

/** Starts source-controller: silent where nothing changed, three writes for a new artifact, retries that double. */
export function startSourceController(plane: ControlPlane, random: Random): SourceController {
  const items = new Map<string, Item>();
  const listeners: ((source: Source) => void)[] = [];
  const queue = createWorkQueue<Item>('source-controller', plane.scheduler, pass);
  const writer = createWriter<Source>(plane, queue.name, (object, at) => {
    stampSource(object, at);
    const kind = Object.entries(sourceKinds).find(([name]) => name === object.kind)?.[1];
    if (kind) plane.store.put(object, kind);
  });
  const parts: Parts = {
    plane,
    queue,
    writer,
    random,
    again: (item) => queue.enqueue(item, soonAgain(item.interval, random)),
    announce: (source) => listeners.forEach((listener) => listener(source)),
  };

  function pass(item: Item): void {
    if (item.object.spec.suspend) return;
    const fetched = item.fetch();
    if (fetched.is === 'failed') fail(parts, item, fetched.reason, fetched.message);
    else if (item.object.status.artifact?.revision === fetched.offer.revision) stayQuiet(parts, item, fetched.offer);
    else publish(parts, item, fetched.offer, fetched.news);
  }

  function observe(item: Item): void {
    item.object.status.observedGeneration = item.object.metadata.generation ?? 1;
    writer.save(item);
  }

  return {
    ...queue,
    add(object, interval, fetch) {
      const item: Item = {
        object,
        interval,
        fetch,
        retries: 0,
        poll: () => queue.enqueue(item, 20),
        setSuspended(suspended) {
          object.spec.suspend = suspended;
          object.metadata.generation = (object.metadata.generation ?? 1) + 1;
          writer.save(item);
          queue.enqueue(item, 10);
          if (suspended) queue.step(item, 8, () => observe(item));
        },
      };
      items.set(key(object.kind, object.metadata.namespace ?? '', object.metadata.name), item);
      writer.save(item);
      queue.enqueue(item, random.next() * interval);
      return item;
    },
    find: (kind, namespace, name) => items.get(key(kind, namespace, name))?.object ?? null,
    onArtifact: (listener) => void listeners.push(listener),
  };
}

/** Stores a new artifact: three writes, then the news. */
function publish(parts: Parts, item: Item, offer: Offer, news: string): void {
  const { plane, queue, random } = parts;
  const { save, say, emit } = parts.writer;
  const { object } = item;
  const found = `new upstream revision '${offer.revision}'`;
  const failedBefore = item.retries > 0;
  item.retries = 0;
  say(item, ...progressing(`building artifact: ${found}`), ['ArtifactOutdated', 'True', 'NewRevision', found]);
  dropConditions(object, 'FetchFailed');
  save(item);
  queue.step(item, 18, () => {
    dropConditions(object, 'Reconciling', 'ArtifactOutdated');
    const stored = ['True', offer.reason, offer.message] as const;
    say(item, ['Ready', ...stored], ['ArtifactInStorage', ...stored]);
    object.status.observedGeneration = object.metadata.generation ?? 1;
    save(item);
    queue.step(item, 9, () => {
      const artifact = artifactOf(object, offer, plane.scheduler.now(), random);
      object.status.artifact = artifact;
      save(item);
      const annotations = {
        'source.toolkit.fluxcd.io/digest': artifact.digest,
        'source.toolkit.fluxcd.io/revision': offer.revision,
      };
      emit(item, 'Normal', object.kind === 'HelmChart' ? 'ChartPackageSucceeded' : 'NewArtifact', news, annotations);
      if (failedBefore) emit(item, 'Normal', 'Succeeded', news, annotations);
      parts.announce(object);
      parts.again(item);
    });
  });
}

/** Ends a poll that found nothing new: an event, and a write only after a failure. */
function stayQuiet({ writer, again }: Parts, item: Item, offer: Offer): void {
  const { save, say, emit } = writer;
  const git = item.object.kind === 'GitRepository';
  const reason = git ? 'GitOperationSucceeded' : 'ArtifactUpToDate';
  const message = git
    ? `no changes since last reconciliation: observed revision '${offer.revision}'`
    : `artifact up-to-date with remote revision: '${offer.revision}'`;
  emit(item, 'Normal', reason, message);
  if (item.retries > 0) {
    item.retries = 0;
    dropConditions(item.object, 'Reconciling', 'FetchFailed');
    say(item, ['Ready', 'True', offer.reason, offer.message]);
    save(item);
  }
  again(item);
}

/** Ends a poll that failed: two writes, and a retry whose pause doubles. */
function fail({ queue, writer }: Parts, item: Item, reason: string, message: string): void {
  const { save, say, emit } = writer;
  const pause = Math.min(firstRetry * 2 ** item.retries, longestRetry);
  item.retries++;
  const building = 'building artifact';
  say(item, ...progressing(building));
  save(item);
  queue.step(item, 16, () => {
    say(item, ['Reconciling', 'True', 'ProgressingWithRetry', building]);
    say(item, ['Ready', 'False', reason, message], ['FetchFailed', 'True', reason, message]);
    save(item);
    emit(item, 'Warning', reason, message);
    queue.enqueue(item, pause);
  });
}
