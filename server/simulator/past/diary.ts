// Where the plots write down what happened to whom; it sees to it that nothing happens to one object twice at a time.
import type { NotedChange } from '#lib/domain/record/change.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import type { Random } from '../random.ts';
import { blinds, createEpisodes, createPages, isFree, writeUnseen, type Page, type StatusSummary } from './episodes.ts';
import type { Inventory, PastObject } from './inventory.ts';
import type { Blindness, PlannedTime, Span } from './script.ts';

/** The diary of a fleet. Times in ms since the epoch. */
export type Diary = ReturnType<typeof createDiary>;

/** Plan of a diary: the time that it is about (ms since the epoch), and who was not seen when. */
export interface DiaryPlan {
  readonly inventory: Inventory;
  readonly from: number;
  readonly to: number;
  readonly blindness: readonly Blindness[];
  readonly planned: readonly PlannedTime[];
  readonly random: Random;
}

/** Two faults that look the same within so much time of each other (ms) may be taken for one. */
const confusable = 12 * minute;
/** So long it takes at most until something is known that could be seen (ms). */
const slowest = 3_000;

/** Starts a diary; each object that is there now is in it since it was made. */
export function createDiary(plan: DiaryPlan) {
  const { inventory, from, to, blindness, planned, random } = plan;
  const pages = createPages();
  const changes: NotedChange[] = [];
  const looks = new Map<string, readonly { readonly cause: string; readonly begin: number; readonly end: number }[]>();
  const { write, lean } = createEpisodes({ to, blindness, random, pages, noticed });

  /** When what happened at `at` was known: soon, or as its cluster or kind was seen again. */
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
    from,
    to,
    inventory,
    random,
    blindness,
    planned,
    changes,
    noticed,
    page: (ref: ObjectRef): Page | undefined => pages.all.get(refKey(ref)),
    /** The pages of some objects, or of all. */
    pages: (isOne: (object: PastObject) => boolean = () => true): readonly Page[] =>
      [...pages.all.values()].filter(({ object }) => isOne(object)),
    /** Takes on an object that is there no more. */
    add: (object: PastObject, span: Span): void => pages.enter(object, span),
    /** True where the object was there from one time to another and nothing was the matter with it. */
    isFree: (page: Page, begin: number, end: number): boolean => isFree(page, { begin, end, cause: null }, blindness),
    /**
     * False where something that looks the same by another cause happens from `begin` to `end` (ms), or shortly before or after:
     * nobody could tell the two apart. Else it is remembered.
     */
    isAlone(look: string, cause: string, begin: number, end: number): boolean {
      const same = looks.get(look) ?? [];
      const isMixed = same.some(
        (one) => one.cause !== cause && begin - confusable < one.end && end + confusable > one.begin,
      );
      if (!isMixed) looks.set(look, [...same, { cause, begin, end }]);
      return !isMixed;
    },
    /** When at the latest it is known (ms) that an object is well again since `at`. */
    knownBy: (ref: ObjectRef, at: number): number => noticed(ref, at, slowest) + slowest,
    /**
     * An object was not well, from its first word until `home` (null: to its end, or until now), and what depends on it was not
     * proven meanwhile. Nothing is written where something else was the matter with it, or where nobody came to know of it.
     */
    away(page: Page, states: readonly [StatusSummary, ...StatusSummary[]], home: number | null): boolean {
      const episode = write(page, states, home);
      if (episode) lean(page, episode);
      return episode !== null;
    },
    /** The same for what lasts when the present begins; says nothing of what depends on it. */
    lasts: (page: Page, state: StatusSummary): boolean => write(page, [state], null) !== null,
    /** Nobody saw the objects of a kind: that much was known. */
    unseen: (blind: Blindness): void => writeUnseen(blind, pages.all.values(), random),
    note({ ref, at, fact }: Pick<NotedChange, 'at' | 'fact'> & { readonly ref: ObjectRef }): void {
      const noticedAt = noticed(ref, at);
      if (noticedAt < to) changes.push({ cluster: ref.cluster, ref, at, notBefore: at, noticedAt, fact });
    },
  };
}
