/** The numbers of a cluster session. Times in ms, sizes in bytes. */
export interface ClusterTuning {
  /** Time to open a connection: TCP, TLS and the first answer. */
  readonly connectTimeout: number;
  /** A connection that received nothing for this long is pinged (apimachinery: 30 s), and closed without an answer in time (15 s). */
  readonly pingAfter: number;
  readonly pingTimeout: number;
  /** Streams on one HTTP/2 session before another is opened; the server allows 100 by default. */
  readonly streamsPerSession: number;
  readonly sessionsAtMost: number;
  /** Watches at once where only HTTP/1.1 is to be had: each costs a socket. */
  readonly http1WatchesAtMost: number;
  /** Pause between two cancelled streams: rapid resets make servers close the session. */
  readonly cancelEvery: number;
  /** Credentials that were refused are re-read at most this often. */
  readonly renewEvery: number;
  /** client-go's backoff: first, doubled up to the cap, forgotten after a quiet time. */
  readonly backoffFirst: number;
  readonly backoffCap: number;
  readonly backoffForget: number;
  /** A watch asks for a random time between this and twice this. */
  readonly watchTimeout: number;
  /** A stream without a line for this long is silent (bookmarks come each 60 s, the first maybe later). */
  readonly silentAfter: number;
  /** A watch that ends sooner than this and said nothing is an error. */
  readonly shortWatch: number;
  /** A broken watch that is not resumed within this is shown as failed. */
  readonly brokenGrace: number;
  /** A watch that cannot be resumed for this long is listed anew. */
  readonly relistAfter: number;
  readonly forbiddenRetry: number;
  readonly pageLimit: number;
  /** The first list comes from the server's cache in one piece; past this size it is read in pages instead. */
  readonly cachedListBytes: number;
  readonly pageBytes: number;
  /** The bound of every other answer. */
  readonly answerBytes: number;
  readonly lineBytes: number;
  readonly getTimeout: number;
  readonly listTimeout: number;
  readonly discoveryEvery: number;
  /** The old form of discovery asks once per group version, so it runs more seldom. */
  readonly legacyDiscoveryEvery: number;
  readonly leasesEvery: number;
  /** No kind without objects waits longer for a look, as long as one each `probePause` is enough for all of them. */
  readonly probeEvery: number;
  readonly probePause: number;
  /** So many kinds without objects are watched like others, over HTTP/2. */
  readonly emptyWatchesAtMost: number;
  /** And so many more that something has named, or that are new: an object of them is expected. */
  readonly namedWatchesAtMost: number;
  /** A watched kind that has been empty for this long makes room where too many are. */
  readonly emptyFor: number;
}

/** The numbers for real clusters; sources: client-go reflector.go, apimachinery net/http.go, apiserver cacher.go. */
export const defaultTuning: ClusterTuning = {
  connectTimeout: 10_000,
  pingAfter: 30_000,
  pingTimeout: 15_000,
  streamsPerSession: 90,
  sessionsAtMost: 32,
  http1WatchesAtMost: 40,
  cancelEvery: 20,
  renewEvery: 5_000,
  backoffFirst: 800,
  backoffCap: 30_000,
  backoffForget: 120_000,
  watchTimeout: 300_000,
  // Measured on a real server: the first bookmark of a quiet watch at the newest version comes after up to 120 s.
  silentAfter: 200_000,
  shortWatch: 1_000,
  brokenGrace: 5_000,
  relistAfter: 60_000,
  forbiddenRetry: 60_000,
  pageLimit: 500,
  cachedListBytes: 8_000_000,
  pageBytes: 64_000_000,
  answerBytes: 16_000_000,
  lineBytes: 16_000_000,
  getTimeout: 15_000,
  listTimeout: 60_000,
  discoveryEvery: 15_000,
  legacyDiscoveryEvery: 300_000,
  leasesEvery: 15_000,
  probeEvery: 60_000,
  probePause: 25,
  emptyWatchesAtMost: 200,
  namedWatchesAtMost: 100,
  emptyFor: 600_000,
};
