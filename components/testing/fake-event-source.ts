import type { StreamFrame } from '#lib/api/stream.ts';

/** Stands for the browser's EventSource: tests send its frames and break it. */
export class FakeEventSource extends EventTarget {
  static opened: FakeEventSource[] = [];
  readonly url: string;
  closed = false;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.opened.push(this);
  }

  /** The stream that the page opened last. */
  static get last(): FakeEventSource {
    const source = FakeEventSource.opened.at(-1);
    if (source === undefined) throw new Error('No stream has been opened.');
    return source;
  }

  open(): void {
    this.dispatchEvent(new Event('open'));
  }

  send(frame: StreamFrame, id = ''): void {
    this.dispatchEvent(new MessageEvent(frame.type, { data: JSON.stringify(frame), lastEventId: id }));
  }

  fail(): void {
    this.dispatchEvent(new Event('error'));
  }

  close(): void {
    this.closed = true;
  }
}
