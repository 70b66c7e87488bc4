import type { CurrentObject, ObjectDetail } from '#lib/domain/current.ts';
import { decodeDetail } from './decode.ts';
import type { Lease, StoredClusterState, StoreWriter, WriteBatch, WriteResult } from './port.ts';

/** An object with its detail as the JSON text that is stored: a text crosses threads far cheaper than the tree it stands for. */
export interface EncodedObject {
  readonly object: CurrentObject;
  readonly detail: string;
}

/** A batch whose details are JSON texts already. */
export interface EncodedBatch extends Omit<WriteBatch, 'objects'> {
  readonly objects: readonly EncodedObject[];
}

/** A stored state whose details are still JSON texts. */
export interface EncodedState extends Omit<StoredClusterState, 'objects'> {
  readonly objects: readonly EncodedObject[];
}

/** The writing side as an engine builds it: `StoreWriter` with details as JSON texts. */
export interface EncodedWriter extends Omit<StoreWriter, 'load' | 'write'> {
  load(cluster: string): Promise<EncodedState>;
  write(lease: Lease, batch: EncodedBatch): Promise<WriteResult>;
}

/** The stored text of a detail. */
export function encodeDetail(detail: ObjectDetail): string {
  return JSON.stringify(detail);
}

/** A batch with its details as texts. */
export function encodeBatch(batch: WriteBatch): EncodedBatch {
  return { ...batch, objects: batch.objects.map(({ object, detail }) => ({ object, detail: encodeDetail(detail) })) };
}

/**
 * A state with its details read. A detail of another version of Plumbline stands as an observation that says nothing,
 * and no resume point is given then: every kind is listed anew, which replaces it.
 */
export function decodeState(state: EncodedState): StoredClusterState {
  let foreign = false;
  const objects = state.objects.map(({ object, detail }) => {
    const read = decodeDetail(object, detail);
    if (read.type === 'foreign') foreign = true;
    return { object, detail: read.detail };
  });
  return { cluster: state.cluster, objects, resume: foreign ? [] : state.resume };
}

/** The port's writer over an engine's. */
export function plainWriter(engine: EncodedWriter): StoreWriter {
  return {
    acquire: engine.acquire,
    release: engine.release,
    load: async (cluster) => decodeState(await engine.load(cluster)),
    write: (lease, batch) => engine.write(lease, encodeBatch(batch)),
    forget: engine.forget,
    close: engine.close,
  };
}
