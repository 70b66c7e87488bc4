/** One request that reached a simulated API server. */
export interface LoggedRequest {
  readonly cluster: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly status: number;
  /** ms since the epoch, when it arrived. */
  readonly at: number;
}

/** Every request that arrived, so that a test can prove that only reads do. */
export type RequestLog = ReturnType<typeof createRequestLog>;

const reviews = /^\/apis\/authorization\.k8s\.io\/v1\/selfsubject(access|rules)reviews(\?|$)/;

/** True if a request is one that Plumbline may make. */
export function onlyReads(request: Pick<LoggedRequest, 'method' | 'path'>): boolean {
  return request.method === 'GET' || (request.method === 'POST' && reviews.test(request.path));
}

/** Makes a log that keeps the last `kept` requests. */
export function createRequestLog(kept = 20_000) {
  let requests: LoggedRequest[] = [];
  const writes: LoggedRequest[] = [];
  let count = 0;
  return {
    add(request: LoggedRequest): void {
      count++;
      requests.push(request);
      if (requests.length > kept * 2) requests = requests.slice(-kept);
      if (!onlyReads(request)) writes.push(request);
    },
    /** The last requests, oldest first. */
    all: (): readonly LoggedRequest[] => requests,
    /** Everything that was neither a GET nor one of the two self reviews; kept for ever. */
    writes: (): readonly LoggedRequest[] => writes,
    /** Number that arrived in all. */
    count: (): number => count,
  };
}
