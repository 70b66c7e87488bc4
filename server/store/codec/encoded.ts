import type { CurrentObject } from '#lib/domain/record/current.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { decodeDetail, decodeRecordBatch, type RecordBatch } from './decode.ts';
import type { Lease, StepResult, StoredClusterState, StoreWriter, WriteBatch, WriteResult } from '../port/port.ts';
import { encodeAlarms, type EncodedAlarms } from './alarm/encoded-alarms.ts';
import { createDetailPacker, type DetailPacker } from './pack/packed-detail.ts';
import { createPacker, type Packer } from './pack/packer.ts';

/** An object with its detail as JSON: a text crosses threads far cheaper than the tree it stands for. */
export interface EncodedObject {
  readonly object: CurrentObject;
  readonly detail: string;
}

/** A batch as it crosses threads: one text, and the details as they are stored. */
export interface EncodedBatch {
  /** Number of rows it writes, at least 1; what is large counts as several. */
  readonly rows: number;
  /** It brings the record back with a clock, and is written in steps. */
  readonly inSteps?: true;
  /** A `RecordBatch` as JSON. */
  readonly text: string;
  /** The cluster's own record as JSON, as it is stored; null where it is not written. */
  readonly cluster: string | null;
  /** Of the objects, in their order: see `DetailPacker`. */
  readonly details: readonly string[];
  readonly strings: readonly string[];
}

/** A stored state whose details are JSON texts. */
export interface EncodedState extends Omit<StoredClusterState, 'objects'> {
  readonly objects: readonly EncodedObject[];
}

/** The writing side as an engine builds it: `StoreWriter` with what crosses threads as texts. */
export interface EncodedWriter extends Omit<StoreWriter, 'load' | 'write' | 'writeAlarms'> {
  load(cluster: string): Promise<EncodedState>;
  write(lease: Lease<'cluster'>, batch: EncodedBatch): Promise<StepResult>;
  writeAlarms(lease: Lease<'alarm-source'>, batch: EncodedAlarms): Promise<WriteResult>;
}

/** So many characters of texts are as much to write as one row more: a usual object has half of it with its detail, a hostile one a hundred thousand. */
const charactersInRow = 4_000;

/** Puts batches on their way to the engine. */
export type BatchEncoder = (batch: WriteBatch) => EncodedBatch;

/** Makes an encoder over a packer, which knows which strings many details share, and objects that it has packed before. */
export function createBatchEncoder(packed: Packer = createPacker()): BatchEncoder {
  const packer = createDetailPacker(packed);
  return (batch) => encodeBatch(batch, packer);
}

function encodeBatch(batch: WriteBatch, packer: DetailPacker): EncodedBatch {
  const { cluster, ...parts } = batch;
  const { objects, removed, transitions, changes, corrections, earlier, arrivals, confirmations, coverage } = parts;
  const records: RecordBatch = { ...parts, objects: objects.map(({ object }) => object) };
  const counted = [objects, removed, transitions, changes, corrections, earlier, arrivals, confirmations, coverage];
  packer.begin();
  const details = objects.map(({ object, detail }) => packer.pack(detail, refKey(object.ref)));
  const texts = {
    text: JSON.stringify(records),
    cluster: cluster === null ? null : JSON.stringify(cluster),
    details,
    strings: packer.strings(),
  };
  const rows = counted.reduce((sum, { length }) => sum + length, 1);
  return {
    rows: Math.max(rows, Math.ceil(charactersOf(texts) / charactersInRow)),
    ...(batch.setBackTo === undefined ? {} : { inSteps: true }),
    ...texts,
  };
}

function charactersOf({ text, cluster, details, strings }: Omit<EncodedBatch, 'rows'>): number {
  const all = [text, cluster ?? '', ...details, ...strings];
  return all.reduce((sum, { length }) => sum + length, 0);
}

/** A batch as the engine writes it; throws where the text is none, which only a fault of our own can make. */
export function recordBatchOf({ text }: EncodedBatch): RecordBatch {
  const batch = decodeRecordBatch(text);
  if (batch === null) throw new Error('a batch does not read as one');
  return batch;
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
  return { ...state, objects, resume: foreign ? [] : state.resume };
}

/** The port's writer over an engine's. */
export function plainWriter(engine: EncodedWriter): StoreWriter {
  const encode = createBatchEncoder();
  return {
    acquire: engine.acquire,
    release: engine.release,
    load: async (cluster) => decodeState(await engine.load(cluster)),
    write: (lease, batch) => engine.write(lease, encode(batch)),
    forget: engine.forget,
    writeAlarms: (lease, batch) => engine.writeAlarms(lease, encodeAlarms(batch)),
    loadAlarms: engine.loadAlarms,
    forgetAlarms: engine.forgetAlarms,
    keep: engine.keep,
    close: engine.close,
  };
}
