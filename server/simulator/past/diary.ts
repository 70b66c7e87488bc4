// Where the plots write down what happened to whom; it sees to it that nothing happens to one object twice at a time.
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import type { Random } from '../random.ts';
import { goodSummary } from './good-word.ts';
import type { Inventory, PastObject } from './inventory.ts';
import type { Blindness, Episode, Life, Stage } from './script.ts';

/** One word of an object as a plot says it. `at` in ms since the epoch; `attempted` is a revision. */
export interface StatusSummary {
  readonly verdict: Verdict;
  readonly at: number;
  readonly reason: string;
  readonly message?: string;
  readonly attempted?: string;
  readonly rootCause?: Cause;
}

/** What is written of one object; in no order. */
export interface Page {
  readonly object: PastObject;
  readonly lives: Life[];
  readonly episodes: Episode[];
  readonly corrections: Correction[];
}

/** The diary of a fleet. Times in ms since the epoch. */
export interface Diary {
  readonly from: number;
  readonly to: number;
  readonly inventory: Inventory;
  readonly random: Random;
  readonly blindness: readonly Blindness[];
  readonly changes: readonly NotedChange[];
  page(ref: ObjectRef): Page | undefined;
  pages(): readonly Page[];
  /** Takes on an object that is there no more. */
  add(object: PastObject, life: Life): void;
  /** True where the object was there from one time to another and nothing was the matter with it. */
  isFree(page: Page, from: number, to: number): boolean;
  /**
   * An object was not well, from its first word until `home` (null: to its end, or until now), and what stands on it was not
   * proven meanwhile. Nothing is written where something else was the matter with it, or where nobody came to know of it.
   */
  away(page: Page, words: readonly [StatusSummary, ...StatusSummary[]], home: number | null): boolean;
  /** The same for what lasts when the present begins; says nothing of what stands on it. */
  lasts(page: Page, word: StatusSummary): boolean;
  /** Nobody saw the objects of a kind: that much was known. */
  unseen(blind: Blindness): void;
  /** When what happened at `at` was known: soon, or as its cluster or kind was seen again. */
  noticed(ref: ObjectRef, at: number, delay?: number): number;
  note(change: Omit<NotedChange, 'noticedAt' | 'notBefore' | 'cluster'> & { readonly ref: ObjectRef }): void;
}

/** Between two episodes of one object an observer has seen for sure that it was well for good. */
const apart = 6 * minute;

/** What was the matter with an object is over so long before the present (ms), or lasts. */
const calmAtTheEnd = 10 * minute;

/** What a diary is begun with: the time that it is about (ms since the epoch), and who was not seen when. */
export interface DiaryPlan {
  readonly inventory: Inventory;
  readonly from: number;
  readonly to: number;
  readonly blindness: readonly Blindness[];
  readonly random: Random;
}

/** Starts a diary; each object that is there now is in it since it was made. */
export function createDiary(plan: DiaryPlan): Diary {
  const { inventory, from, to, blindness, random } = plan;
  const pages = createPages();
  const changes: NotedChange[] = [];
  const { write, lean } = createEpisodes(plan, pages, noticed);

  function noticed(ref: ObjectRef, at: number, delay = random.between(150, 2500)): number {
    const known = at + delay;
    const blind = blindness.find((one) => blinds(one, ref) && known >= one.from && known < one.to);
    return blind ? blind.to + random.between(1500, 9000) : known;
  }

  for (const object of inventory.objects) {
    // What was made within the last moments is found by whoever looks first.
    if (object.createdAt >= to) continue;
    const seen =
      object.createdAt < from ? from + random.between(1200, 6000) : noticed(object.ref, object.createdAt, 40);
    const before = object.createdAt < from;
    const at = before ? seen - random.between(600_000, 20 * day) : object.createdAt;
    pages.enter(object, { uid: object.uid, at, bound: before ? 'at-least' : 'exact', noticedAt: seen, goneAt: null });
  }

  return {
    ...{ from, to, inventory, random, blindness, changes, noticed },
    page: (ref) => pages.all.get(refKey(ref)),
    pages: () => [...pages.all.values()],
    add: (object, life) => pages.enter(object, life),
    isFree: (page, begin, end) => isFree(page, begin, end, blindness),
    away(page, words, home) {
      const episode = write(page, words, home);
      if (episode) lean(page, episode);
      return episode !== null;
    },
    lasts: (page, word) => write(page, [word], null) !== null,
    unseen: (blind) => writeUnseen(blind, pages.all.values(), random),
    note({ ref, at, fact }) {
      const noticedAt = noticed(ref, at);
      if (noticedAt < to) changes.push({ cluster: ref.cluster, ref, at, notBefore: at, noticedAt, fact });
    },
  };
}

/** The pages of a diary, and which of them lean on which. */
interface Pages {
  readonly all: ReadonlyMap<RefKey, Page>;
  enter(object: PastObject, life: Life): void;
  /** The pages of what is delivered by an object, or part of it. */
  leaningOn(ref: ObjectRef): readonly Page[];
}

function createPages(): Pages {
  const all = new Map<RefKey, Page>();
  const leaning = new Map<RefKey, Page[]>();
  return {
    all,
    enter(object, life) {
      const page: Page = { object, lives: [life], episodes: [], corrections: [] };
      all.set(refKey(object.ref), page);
      for (const under of [object.deliveredBy, object.partOf]) {
        if (under) leaning.set(refKey(under), [...(leaning.get(refKey(under)) ?? []), page]);
      }
    },
    leaningOn: (ref) => leaning.get(refKey(ref)) ?? [],
  };
}

/** What writes episodes down. */
interface Episodes {
  /** Writes what happened to one object; null where it is not free then, or nobody came to know of it. */
  write(page: Page, words: readonly StatusSummary[], homeAt: number | null): Episode | null;
  /** What stands on an object that is not well is at best unconfirmed, for as long as an observer knows of it. */
  lean(under: Page, episode: Episode): void;
}

function createEpisodes(plan: DiaryPlan, pages: Pages, noticed: Diary['noticed']): Episodes {
  const { to, blindness, random } = plan;

  function write(page: Page, words: readonly StatusSummary[], homeAt: number | null): Episode | null {
    const ends = homeAt === null ? [] : [wellAgain(page.object, homeAt)];
    const told = stagesOf(page, [...words, ...ends], { random, noticed });
    const home = homeAt === null ? null : (told.pop() ?? null);
    const [first, ...rest] = told;
    if (!first || (home !== null && home.noticedAt >= to - calmAtTheEnd) || told.some((stage) => stage.noticedAt >= to))
      return null;
    if (!isFree(page, first.at, home?.noticedAt ?? page.lives.at(-1)?.goneAt ?? to, blindness)) return null;
    const episode: Episode = { stages: [first, ...rest], home };
    page.episodes.push(episode);
    return episode;
  }

  function lean(under: Page, episode: Episode): void {
    const last = episode.stages.at(-1);
    const bad = episode.stages.find(({ verdict }) => verdict !== 'behind' && verdict !== 'unobserved');
    if (!bad || !last) return;
    const rootCause: Cause = bad.rootCause ?? { type: 'object', ref: under.object.ref };
    for (const page of pages.leaningOn(under.object.ref)) {
      const stage = leaningStage(page.object, under.object.ref, bad, rootCause);
      const home = episode.home && wellAgainStage(page.object, episode.home);
      if (!isFree(page, stage.at, home?.noticedAt ?? to, blindness)) continue;
      const following: Episode = { stages: [stage], home };
      page.episodes.push(following);
      lean(page, following);
    }
  }

  return { write, lean };
}

/** The stage of what leans on an object that is not well. */
function leaningStage(object: PastObject, under: ObjectRef, bad: Stage, rootCause: Cause): Stage {
  const delivered = object.deliveredBy !== null && refKey(object.deliveredBy) === refKey(under);
  const part = object.role === 'managed' || object.role === 'composite' ? 'CompositeNotConverged' : 'SourceUnconfirmed';
  const reason = delivered ? 'DeliveryNotConverged' : part;
  return { ...bad, verdict: 'unconfirmed', reason, message: '', attempted: null, rootCause };
}

/** True where an object was there from one time to another and nothing was the matter with it. */
function isFree(page: Page, begin: number, end: number, blindness: readonly Blindness[]): boolean {
  if (!page.lives.some((life) => life.noticedAt <= begin && (life.goneAt ?? Infinity) >= end)) return false;
  const unseen = blindness.some(
    (one) => one.kind !== null && blinds(one, page.object.ref) && begin < one.to + apart && end > one.from - apart,
  );
  return (
    !unseen &&
    page.episodes.every((one) => end + apart < one.stages[0].at || begin - apart > (one.home?.noticedAt ?? Infinity))
  );
}

/** The stages of an episode, each noticed when somebody could: `noticed` says when. */
function stagesOf(
  page: Page,
  words: readonly StatusSummary[],
  { random, noticed }: Pick<Diary, 'random' | 'noticed'>,
): Stage[] {
  const stages = words.map((word): Stage => {
    const born = page.lives.some((life) => life.noticedAt === word.at);
    const soon = born ? 0 : random.between(150, 2500);
    const noticedAt = noticed(page.object.ref, word.at, soon);
    return {
      verdict: word.verdict,
      at: word.at,
      bound: noticedAt === word.at + soon ? 'exact' : 'at-least',
      noticedAt,
      reason: word.reason,
      message: word.message ?? '',
      attempted: word.attempted ?? null,
      commit: null,
      rootCause: word.rootCause ?? null,
    };
  });
  // What had passed by when the cluster was seen again was never known.
  return stages.filter((stage, index) => (stages[index + 1]?.noticedAt ?? Infinity) - stage.noticedAt > 20_000);
}

/** Writes down that nobody saw the objects of a kind. */
function writeUnseen(blind: Blindness, pages: Iterable<Page>, random: Random): void {
  for (const page of pages) {
    const through = page.lives.some(
      (life) => life.noticedAt < blind.from && (life.goneAt ?? Infinity) > blind.to + 1000,
    );
    if (!blinds(blind, page.object.ref) || !through) continue;
    const { cluster } = blind;
    const word = { reason: 'Forbidden', message: blind.reason, attempted: null, commit: null };
    const first: Stage = {
      ...word,
      ...{ verdict: 'unobserved', at: blind.from, bound: 'exact', noticedAt: blind.from + random.between(10, 90) },
      rootCause: blind.kind && { type: 'feed', cluster, ...blind.kind },
    };
    const noticedAt = blind.to + random.between(10, 900);
    page.episodes.push({
      stages: [first],
      home: wellAgainStage(page.object, { ...first, at: blind.to, noticedAt }),
    });
  }
}

function blinds(one: Blindness, { cluster, group, kind }: ObjectRef): boolean {
  return one.cluster === cluster && (one.kind === null || (one.kind.group === group && one.kind.kind === kind));
}

function wellAgain(object: PastObject, at: number): StatusSummary {
  return { verdict: 'converged', at, ...goodSummary(object) };
}

function wellAgainStage(object: PastObject, like: Stage): Stage {
  return { ...like, verdict: 'converged', ...goodSummary(object), attempted: null, rootCause: null };
}
