import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import type { Episode, Life } from './script.ts';
import type { PastObject } from './inventory.ts';

/** Page written of one object; in no order. */
export interface Page {
  readonly object: PastObject;
  readonly lives: Life[];
  readonly episodes: Episode[];
  readonly corrections: Correction[];
}

/** The pages of a diary, and which of them lean on which. */
export interface Pages {
  readonly all: ReadonlyMap<RefKey, Page>;
  enter(object: PastObject, life: Life): void;
  /** The pages of what is delivered by an object, or part of it. */
  leaningOn(ref: ObjectRef): readonly Page[];
}

/** Starts without a page. */
export function createPages(): Pages {
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
