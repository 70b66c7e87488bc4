import type { MessagePort } from 'node:worker_threads';
import { serveCalls, type Methods } from '#server/runtime/thread/serve-calls.ts';
import type { OpenRefusal } from '../port/open-refusal.ts';
import type { StoreReader } from '../port/port.ts';
import { readerMethods } from './reader-methods.ts';

/** Answers over a port what is asked of a reader, after it told how opening the store went (null where it is open). */
export function serveReader(reader: StoreReader | OpenRefusal, port: MessagePort): void {
  if ('type' in reader) serveCalls(port, reader, {});
  else serveCalls(port, null, methodsOf(reader), durationsIn);
}

/** The memory of lists of durations in an answer, which nobody but who asked has: a million numbers are handed over, not copied. */
function durationsIn(answer: unknown): readonly ArrayBuffer[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.values(answer).flatMap((value: unknown) => {
    const isList = value instanceof Float64Array && value.length > 0;
    return isList && value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
  });
}

function methodsOf(reader: StoreReader): Methods {
  const methods: Methods[string][] = [];
  readerMethods((of) => {
    const method = of(reader);
    methods.push(method);
    return method;
  });
  return Object.fromEntries(methods.entries());
}
