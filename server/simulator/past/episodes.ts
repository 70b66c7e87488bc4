import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { Random } from '../random.ts';
import { goodSummary } from './inventory.ts';
import type { PastObject } from './inventory.ts';
import type { Blindness, Episode, Span, Stage } from './script.ts';

/** Page written of one object; in no order. */
export interface Page {
  readonly object: PastObject;
  readonly spans: Span[];
  readonly episodes: Episode[];
  readonly corrections: Correction[];
}

/** The pages of a diary. Starts without one. */
export function createPages() {
  const all = new Map<RefKey, Page>();
  const leaning = new Map<RefKey, Page[]>();
  return {
    all,
    enter(object: PastObject, span: Span): void {
      const page: Page = { object, spans: [span], episodes: [], corrections: [] };
      all.set(refKey(object.ref), page);
      for (const under of [object.deliveredBy, object.partOf]) {
        if (under) leaning.set(refKey(under), [...(leaning.get(refKey(under)) ?? []), page]);
      }
    },
    /** The pages of what is delivered by an object, or part of it. */
    leaningOn: (ref: ObjectRef): readonly Page[] => leaning.get(refKey(ref)) ?? [],
  };
}

/** One word of an object as a plot says it. `at` in ms since the epoch; `attempted` is a revision. */
export interface StatusSummary {
  readonly verdict: Verdict;
  readonly at: number;
  readonly reason: string;
  readonly message?: string;
  readonly attempted?: string;
  readonly rootCause?: Cause;
  /** The true cause; absent: it fails by itself, and nothing else does by it. */
  readonly cause?: string;
  readonly seemsAlone?: true;
  /** Nobody can know it before (ms); absent: it is known as it begins. */
  readonly clearAt?: number;
}

/** The cause of an object that fails by itself from `at` on (ms), and of nothing else. */
export function ownCause({ cluster, kind, namespace, name }: ObjectRef, at: number): string {
  return `${kind} ${namespace}/${name} of ${cluster} at ${at}`;
}

/** Between two episodes of one object an observer has seen for sure that it was well for good (ms). */
const apart = 6 * minute;
/** Between two that differ in their cause it is also clear that nothing goes on (ms). */
const unrelated = 12 * minute;

/** Time before the present (ms) by which the trouble of an object is over, unless it lasts. */
const calmAtTheEnd = 10 * minute;

/** Parts that episodes are written with. `to` ends the time that they may be in (ms since the epoch). */
interface EpisodesDeps {
  readonly to: number;
  readonly blindness: readonly Blindness[];
  readonly random: Random;
  readonly pages: ReturnType<typeof createPages>;
  /** When what happened at `at` was known. */
  noticed(ref: ObjectRef, at: number, delay?: number): number;
}

/** Makes what writes episodes down. */
export function createEpisodes({ to, blindness, random, pages, noticed }: EpisodesDeps) {
  /** Writes what happened to one object; null where it is not free then, or nobody came to know of it. */
  function write(page: Page, states: readonly StatusSummary[], homeAt: number | null): Episode | null {
    const ends = homeAt === null ? [] : [wellAgain(page.object, homeAt)];
    const stages = stagesOf(page, [...states, ...ends], { random, noticed });
    const home = homeAt === null ? null : (stages.pop() ?? null);
    const [first, ...rest] = stages;
    if (!first || (home !== null && home.noticedAt >= to - calmAtTheEnd) || stages.some((one) => one.noticedAt >= to))
      return null;
    const end = home?.noticedAt ?? page.spans.at(-1)?.goneAt ?? to;
    const cause = stages.find((one) => one.cause !== null)?.cause ?? null;
    if (!isFree(page, { begin: first.at, end, cause }, blindness)) return null;
    const episode: Episode = { stages: [first, ...rest], home };
    page.episodes.push(episode);
    return episode;
  }

  /** Notes an object that depends on one that is not well: at best unconfirmed, for as long as an observer knows of it. */
  function lean(under: Page, episode: Episode): void {
    const last = episode.stages.at(-1);
    const bad = episode.stages.find(({ verdict }) => verdict !== 'behind' && verdict !== 'unobserved');
    if (!bad || !last) return;
    const rootCause: Cause = bad.rootCause ?? { type: 'object', ref: under.object.ref };
    for (const page of pages.leaningOn(under.object.ref)) {
      const stage = leaningStage(page.object, under.object.ref, bad, rootCause);
      const home = episode.home && wellAgainStage(page.object, episode.home);
      if (!isFree(page, { begin: stage.at, end: home?.noticedAt ?? to, cause: null }, blindness)) continue;
      const following: Episode = { stages: [stage], home };
      page.episodes.push(following);
      lean(page, following);
    }
  }

  return { write, lean };
}

const causeless = { cause: null, seemsAlone: false } as const;
const failing: ReadonlySet<Verdict> = new Set([
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'behind',
  'waiting',
  'progressing',
]);

function fails({ verdict }: StatusSummary): boolean {
  return failing.has(verdict);
}

/** The stage of what leans on an object that is not well. */
function leaningStage(object: PastObject, under: ObjectRef, bad: Stage, rootCause: Cause): Stage {
  const delivered = object.deliveredBy !== null && refKey(object.deliveredBy) === refKey(under);
  const part = object.role === 'managed' || object.role === 'composite' ? 'CompositeNotConverged' : 'SourceUnconfirmed';
  const reason = delivered ? 'DeliveryNotConverged' : part;
  return { ...bad, verdict: 'unconfirmed', reason, message: '', attempted: null, rootCause, ...causeless };
}

/** A time (ms since the epoch) in which something is to be the matter with an object. */
interface Wanted {
  readonly begin: number;
  readonly end: number;
  readonly cause: string | null;
}

/** True where an object was there from one time to another and nothing was the matter with it, nor just before or after by another cause. */
export function isFree(page: Page, { begin, end, cause }: Wanted, blindness: readonly Blindness[]): boolean {
  if (!page.spans.some((one) => one.noticedAt <= begin && (one.goneAt ?? Infinity) >= end)) return false;
  const unseen = blindness.some(
    (one) => one.kind !== null && blinds(one, page.object.ref) && begin < one.to + apart && end > one.from - apart,
  );
  return (
    !unseen &&
    page.episodes.every(({ stages, home }) => {
      const isOther = stages.some((one) => cause !== null && one.cause !== null && one.cause !== cause);
      const between = isOther ? unrelated : apart;
      return end + between < stages[0].at || begin - between > (home?.noticedAt ?? Infinity);
    })
  );
}

/** The stages of an episode, each noticed when somebody could: `noticed` says when. */
function stagesOf(
  page: Page,
  states: readonly StatusSummary[],
  { random, noticed }: Pick<EpisodesDeps, 'random' | 'noticed'>,
): Stage[] {
  const own = ownCause(page.object.ref, states[0]?.at ?? 0);
  const stages = states.map((state): Stage => {
    const born = page.spans.some((span) => span.noticedAt === state.at);
    const soon = born ? 0 : random.between(150, 2500);
    const knowable = state.clearAt ?? state.at;
    const noticedAt = noticed(page.object.ref, knowable, soon);
    return {
      verdict: state.verdict,
      at: state.at,
      bound: noticedAt === knowable + soon ? 'exact' : 'at-least',
      noticedAt,
      reason: state.reason,
      message: state.message ?? '',
      attempted: state.attempted ?? null,
      commit: null,
      rootCause: state.rootCause ?? null,
      cause: fails(state) ? (state.cause ?? own) : null,
      seemsAlone: state.seemsAlone ?? false,
    };
  });
  // What had passed by when the cluster was seen again was never known.
  return stages.filter((stage, index) => (stages[index + 1]?.noticedAt ?? Infinity) - stage.noticedAt > 20_000);
}

/** Writes down that nobody saw the objects of a kind. */
export function writeUnseen(blind: Blindness, pages: Iterable<Page>, random: Random): void {
  for (const page of pages) {
    const through = page.spans.some(
      (span) => span.noticedAt < blind.from && (span.goneAt ?? Infinity) > blind.to + 1000,
    );
    if (!blinds(blind, page.object.ref) || !through) continue;
    const { cluster } = blind;
    const refusal = { reason: 'Forbidden', message: blind.reason, attempted: null, commit: null };
    const first: Stage = {
      ...refusal,
      verdict: 'unobserved',
      at: blind.from,
      bound: 'exact',
      noticedAt: blind.from + random.between(10, 90),
      rootCause: blind.kind && { type: 'feed', cluster, ...blind.kind },
      ...causeless,
    };
    const noticedAt = blind.to + random.between(10, 900);
    page.episodes.push({
      stages: [first],
      home: wellAgainStage(page.object, { ...first, at: blind.to, noticedAt }),
    });
  }
}

/** True where nobody saw an object meanwhile. */
export function blinds(one: Blindness, { cluster, group, kind }: ObjectRef): boolean {
  return one.cluster === cluster && (one.kind === null || (one.kind.group === group && one.kind.kind === kind));
}

function wellAgain(object: PastObject, at: number): StatusSummary {
  return { verdict: 'converged', at, ...goodSummary(object) };
}

function wellAgainStage(object: PastObject, like: Stage): Stage {
  return { ...like, verdict: 'converged', ...goodSummary(object), attempted: null, rootCause: null, ...causeless };
}
