/** Answer of a simulated monitoring program: a whole text, or one that is made while it is sent. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Iterable<string>;
}

/** A request as the programs see it: the path beneath their own address, and its parameters. */
export interface Asked {
  readonly path: string;
  readonly params: URLSearchParams;
}

/** A JSON answer. */
export function json(value: object | string, status = 200): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}

/** A plain text. */
export function plain(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body };
}

/** The first parameter that the simulator does not know: the real program may know it, and an answer that leaves it out would be a lie. */
export function unknownParameter({ params }: Asked, known: readonly string[]): string | null {
  return [...params.keys()].find((name) => !known.includes(name)) ?? null;
}

/** Answer of both programs where they serve nothing. */
export const notFound = plain(404, '404 page not found\n');

/** A JSON list between a head and a tail; each element becomes text only when it is sent. */
export function* listed<T extends object | string>(
  head: string,
  elements: Iterable<T>,
  tail: string,
): Generator<string> {
  yield head;
  let isFirst = true;
  for (const element of elements) {
    const text = JSON.stringify(element);
    yield isFirst ? text : `,${text}`;
    isFirst = false;
  }
  yield tail;
}

/** ms since the epoch as Go's JSON writes a time. */
export function goTime(at: number): string {
  return new Date(at).toISOString().replace(/\.?0*Z$/, 'Z');
}

/** A number as Prometheus shows the value of an alert: 1 is 1e+00. */
export function goFloat(value: number): string {
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
