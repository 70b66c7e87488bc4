/**
 * The numbers for real clusters; sources: client-go reflector.go, apimachinery net/http.go, apiserver cacher.go. Times in ms,
 * sizes in bytes.
 */
export const defaultTuning = {
  /** Time to open a connection: TCP, TLS and the first answer. */
  connectTimeout: 10_000,
  /** A connection that received nothing for this long is pinged (apimachinery: 30 s), and closed without an answer in time (15 s). */
  pingAfter: 30_000,
  pingTimeout: 15_000,
  /** Streams on one HTTP/2 session before another is opened; the server allows 100 by default. */
  streamsPerSession: 90,
  sessionsAtMost: 32,
  /** Watches at once where only HTTP/1.1 is to be had: each costs a socket. */
  http1WatchesAtMost: 40,
  /** Pause between two cancelled streams: rapid resets make servers close the session. */
  cancelEvery: 20,
  /** Credentials that were refused are re-read at most this often. */
  renewEvery: 5_000,
  /** client-go's backoff: first, doubled up to the cap, forgotten after a quiet time. */
  backoffFirst: 800,
  backoffCap: 30_000,
  backoffForget: 120_000,
  /** A watch asks for a random time between this and twice this. */
  watchTimeout: 300_000,
  /** A stream without a line for this long is silent (bookmarks come each 60 s, the first maybe later). */
  // Measured on a real server: the first bookmark of a quiet watch at the newest version comes after up to 120 s.
  silentAfter: 200_000,
  /** A watch that ends sooner than this and said nothing is an error. */
  shortWatch: 1_000,
  /** A broken watch that is not resumed within this is shown as failed. */
  brokenGrace: 5_000,
  /** A watch that cannot be resumed for this long is listed anew. */
  relistAfter: 60_000,
  forbiddenRetry: 60_000,
  pageLimit: 500,
  /**
   * Budgets of one cluster: over one of them is its fault, and shown as such, so that it harms no other. Twice what etcd holds of one
   * object fits into an answer; a fleet's largest clusters hold some ten thousand objects.
   */
  /** No answer and no line of a watch is longer (decompressed): each is parsed in one go on the thread of all clusters. */
  answerBytes: 8_000_000,
  /** All that has come of answers and lines that are not complete yet. */
  underWayBytes: 256_000_000,
  /** The list of one kind. Its pages are counted, for a server that never ends may send empty ones. */
  listPagesAtMost: 1_000,
  listBytesAtMost: 1_000_000_000,
  kindsAtMost: 5_000,
  /** Objects that one lists in its inventory. What etcd holds of one object has room for some 15,000 of usual names. */
  listedAtMost: 20_000,
  /** Leases, Deployments, ... in one answer, and in those of all namespaces together. */
  signsAtMost: 2_000,
  /** Everything that is known of it at once: objects, and what is kept of them (about, in memory). */
  objectsAtMost: 50_000,
  keptBytesAtMost: 120_000_000,
  getTimeout: 15_000,
  listTimeout: 60_000,
  discoveryEvery: 15_000,
  /** The old form of discovery asks once per group version, so it runs more seldom. */
  legacyDiscoveryEvery: 300_000,
  leasesEvery: 15_000,
  /** No kind without objects waits longer for a look, as long as one each `probePause` is enough for all of them. */
  probeEvery: 60_000,
  probePause: 25,
  /** So many kinds without objects are watched like others, over HTTP/2. */
  emptyWatchesAtMost: 200,
  /** And so many more that something has named, or that are new: an object of them is expected. */
  namedWatchesAtMost: 100,
  /** A watched kind that has been empty for this long makes room where too many are. */
  emptyFor: 600_000,
};

/** The numbers of a cluster session. Times in ms, sizes in bytes. */
export type ClusterTuning = Readonly<typeof defaultTuning>;
