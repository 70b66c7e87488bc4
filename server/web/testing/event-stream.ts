import { setTimeout as wait } from 'node:timers/promises';
import { StreamFrame } from '#lib/api/stream.ts';

/** One event as it came. */
export interface StreamEvent {
  readonly id: string | null;
  readonly frame: StreamFrame;
}

/** An open stream of the API, read event by event. */
export interface OpenStream {
  readonly response: Response;
  /** The next event that passes; rejects after 5 s without one, or where the stream ends. */
  next(passes?: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  close(): void;
}

/** Opens a stream; every frame must fit the published schema. */
export async function openStream(url: string, lastEventId?: string): Promise<OpenStream> {
  const abort = new AbortController();
  const headers = lastEventId === undefined ? undefined : { 'Last-Event-ID': lastEventId };
  const response = await fetch(url, { signal: abort.signal, ...(headers ? { headers } : {}) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const waiting: StreamEvent[] = [];
  let text = '';

  async function read(): Promise<void> {
    const part = await reader?.read();
    if (!part || part.done) throw new Error('the stream has ended');
    text += part.value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) waiting.push(event);
    }
  }

  return {
    response,
    async next(passes = () => true) {
      const deadline = wait(5_000, undefined, { ref: false }).then(() =>
        Promise.reject(new Error('no such event within 5 s')),
      );
      for (;;) {
        const event = waiting.shift();
        if (event === undefined) await Promise.race([read(), deadline]);
        else if (passes(event)) {
          deadline.catch(() => undefined);
          return event;
        }
      }
    },
    close: () => abort.abort(),
  };
}

function parse(block: string): StreamEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  if (data === undefined) return null;
  const frame = StreamFrame.parse(JSON.parse(data));
  if (frame.type !== fields.get('event')) throw new Error(`event ${fields.get('event')} carries ${frame.type}`);
  return { id: fields.get('id') ?? null, frame };
}
