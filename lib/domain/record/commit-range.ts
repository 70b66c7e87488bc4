import type { Observation, SettledSummary } from '../observation/observation.ts';
import type { Verdict } from '../verdict/verdict.ts';

/**
 * Between which revisions an object broke, as it was known when the failing began: it never moves on with what is tried later.
 * Revisions are verbatim: commits of a git source, versions of a chart.
 *
 * Only revisions that were offered and tried are seen here. A fetch may skip any number of commits, so a range never proves that it
 * holds exactly one, and none of its commits is the culprit by it: that takes the contents of the repository.
 */
export interface CommitRange {
  /** The last revision at which it is known to have worked; null where none is (`watched`: it never worked). */
  readonly lastGood: string | null;
  /** The first revision at which it is known to have failed; null where none is named. The same as `lastGood`: no commit is known to be the cause. */
  readonly firstBad: string | null;
  /** Number of other revisions its source was seen to offer between the two: there may be more. null where that is not known. */
  readonly seenBetween: number | null;
  /** Every attempt from `lastGood` to `firstBad` was seen. Else it may have worked later and failed earlier, but between the two. */
  readonly watched: boolean;
}

/** Memory of an applier between its settled states to tell the range once it fails. JSON through and through. */
export interface CommitMemory {
  readonly lastGood: string | null;
  /** Revisions offered since, in the order in which they were seen, each once; at most `offersKept`. */
  readonly offered: readonly string[];
  /** Since when (ms) something newer than `lastGood` has been offered, however often it was replaced; null where nothing is. */
  readonly newerSince: number | null;
  /** Every attempt since `lastGood` (or since its creation) was seen. */
  readonly watched: boolean;
  /** null while it does not fail. */
  readonly range: CommitRange | null;
}

/** One observation of an applier. */
export interface CommitObservation {
  /** Its last settled state. */
  readonly settled: Observation;
  /** Nothing newer than `settled` was received of it. */
  readonly isSettled: boolean;
  /** No write of it was missed since the observation before. */
  readonly watched: boolean;
  /** The newest revision that its source offers, as it would write it; null where that is not known. */
  readonly offered: string | null;
  /** Since when it does (ms); null where that is not known. */
  readonly offeredSince: number | null;
}

/** Length (characters) beyond which a text is no revision and is not kept. */
const longestRevision = 256;
/** More offers than this (nothing was applied for long) are not told apart any more: how many lie between is then not known. */
const offersKept = 64;

/** True if a verdict may be that of a failed attempt: by then the range of an absence had begun. */
export function failsAtRevision(verdict: Verdict): boolean {
  return verdict === 'diverged' || verdict === 'unhealthy';
}

/** True if a summary says that what was tried does not work. Who waits, or gets nothing to apply, has not tried anything. */
function failed(summary: SettledSummary): boolean {
  return summary.said === 'bad' && (summary.fault === 'apply' || summary.fault === 'health');
}

/** Takes the next observation; gives `before` itself where nothing changes. The first one has no `before`. */
export function moveCommits(before: CommitMemory | null, observed: CommitObservation): CommitMemory {
  const { settled, watched } = observed;
  const known = before ?? { lastGood: null, offered: [], newerSince: null, watched, range: null };
  const { summary } = settled;
  if (summary.said === 'good') return sameOr(known, worked(known, observed));
  const seen = { ...known, watched: known.watched && watched };
  if (summary.said !== 'bad' || !failed(summary)) return sameOr(known, offering(seen, observed));
  return known.range === null ? begun(offering(seen, observed), settled) : known;
}

function kept(revision: string | null): string | null {
  return revision !== null && revision.length <= longestRevision ? revision : null;
}

function worked(known: CommitMemory, observed: CommitObservation): CommitMemory {
  const { settled, isSettled, watched, offeredSince } = observed;
  const lastGood = kept(settled.revisions.applied);
  const index = known.offered.findIndex((revision) => revision === lastGood);
  const since = lastGood === known.lastGood || index >= 0 ? known.offered.slice(index + 1) : [];
  // Who is busy now may have failed where nobody observed it.
  const all = lastGood !== null && (isSettled || (known.watched && watched));
  const rest = lastGood === known.lastGood ? known.newerSince : offeredSince;
  const newerSince = since.length === 0 ? null : rest;
  return offering({ lastGood, offered: since, newerSince, watched: all, range: null }, observed);
}

function offering(known: CommitMemory, { offered: newest, offeredSince }: CommitObservation): CommitMemory {
  const offer = kept(newest);
  const { offered, lastGood, range } = known;
  const isNews = offer !== null && offer !== lastGood && !offered.includes(offer);
  // What was seen to be offered before may have been older than what worked: it was received later.
  if (offer !== null && offer === lastGood) return { ...known, newerSince: null };
  if (range !== null || !isNews || offered.length >= offersKept) return known;
  return { ...known, offered: [...offered, offer], newerSince: known.newerSince ?? offeredSince };
}

/** The failing begins. What was not watched is told by the object's own history, as far as that goes. */
function begun(known: CommitMemory, settled: Observation): CommitMemory {
  const { watched } = known;
  const reported = watched ? { lastGood: null, firstBad: null } : byHistory(settled);
  const lastGood = reported.lastGood ?? known.lastGood;
  const firstBad = reported.firstBad ?? kept(settled.revisions.attempted);
  const range: CommitRange = { lastGood, firstBad, seenBetween: between(known, lastGood, firstBad), watched };
  return { ...known, range };
}

function between(known: CommitMemory, lastGood: string | null, firstBad: string | null): number | null {
  const { offered } = known;
  if (lastGood === null || firstBad === null || lastGood === firstBad) return null;
  const from = lastGood === known.lastGood ? 0 : offered.indexOf(lastGood) + 1;
  const to = offered.indexOf(firstBad);
  return to < from || (from === 0 && lastGood !== known.lastGood) ? null : to - from;
}

/** Entries of a history that tell of an attempt that worked: of a Kustomization, of a HelmRelease. */
const workedWords: ReadonlySet<string> = new Set(['ReconciliationSucceeded', 'deployed']);

/**
 * The newest success that an object's own history tells, and the oldest failure since. Newest first; an entry is of one content and
 * carries the newest revision that had it, and what fails before the build leaves none: both are true, neither need be the nearest
 * (kustomize-controller, status.history).
 */
function byHistory({ history }: Observation): Pick<CommitRange, 'lastGood' | 'firstBad'> {
  let firstBad: string | null = null;
  for (const { status, revision: reported } of history) {
    const revision = kept(reported);
    if (workedWords.has(status)) return { lastGood: revision, firstBad };
    if (!/failed$/i.test(status)) break;
    firstBad = revision ?? firstBad;
  }
  return { lastGood: null, firstBad };
}

function sameOr(before: CommitMemory, after: CommitMemory): CommitMemory {
  const same =
    before.lastGood === after.lastGood &&
    before.watched === after.watched &&
    before.range === after.range &&
    before.newerSince === after.newerSince &&
    before.offered.length === after.offered.length &&
    before.offered.every((offer, index) => offer === after.offered[index]);
  return same ? before : after;
}
