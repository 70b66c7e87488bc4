import { components } from '../fleet/plan.ts';
import type { Diary } from './diary.ts';
import type { Page } from './episodes.ts';
import type { Landing } from './script.ts';

/** When nothing is the matter with an object next, from `at` on (ms); null where that never comes. */
function wellFrom(page: Page, at: number): number | null {
  const episode = page.episodes.find((one) => at >= one.stages[0].at && at < (one.home?.noticedAt ?? Infinity));
  if (!episode) return at;
  return episode.home?.noticedAt ?? null;
}

/** Each commit as a source came to offer it; what was overtaken while the source slept, or nobody saw it, was never offered. */
function offersOf(diary: Diary, source: Page): readonly Landing[] {
  const { random, to } = diary;
  const { ref } = source.object;
  const offers: Landing[] = [];
  for (const { sha, time } of diary.inventory.commits) {
    const well = wellFrom(source, time + random.between(4, 58) * 1000);
    const at = well === null ? to : diary.noticed(ref, well, 40);
    if (at >= to) continue;
    while ((offers.at(-1)?.at ?? 0) >= at - 20_000) offers.pop();
    offers.push({ commit: sha, at });
  }
  return offers;
}

/** True if an applier tries a commit and fails: it never was well at that. */
function failsAt(page: Page, commit: string): boolean {
  return page.episodes.some(({ stages }) =>
    stages.some(({ verdict, attempted }) => verdict !== 'behind' && attempted === `main@sha1:${commit}`),
  );
}

/** When an applier was converged at each of the commits that it came to. */
function landingsOf(diary: Diary, page: Page, offers: readonly Landing[]): Landing[] {
  const { random, to } = diary;
  const waits = components.find((one) => one.name === page.object.ref.name)?.wait ?? false;
  const landings: Landing[] = [];
  for (const [index, offer] of offers.entries()) {
    const soon = offer.at + (waits ? random.between(35, 140) : random.between(3, 38)) * 1000;
    const well = wellFrom(page, soon);
    if (failsAt(page, offer.commit)) continue;
    const at = well === null ? to : diary.noticed(page.object.ref, well + (well === soon ? 0 : 1), 60);
    const overtaken = offers[index + 1];
    const later = at > (landings.at(-1)?.at ?? 0);
    if (at < to && later && (overtaken === undefined || overtaken.at > at)) landings.push({ commit: offer.commit, at });
  }
  return landings;
}

/** Notes what sources came to offer as it was. */
function noteOffers(diary: Diary, { object: { ref } }: Page, offers: readonly Landing[]): void {
  for (const [index, { commit, at }] of offers.entries()) {
    const before = offers[index - 1];
    if (!before || at <= diary.from) continue;
    const fact = { type: 'revision', from: `main@sha1:${before.commit}`, to: `main@sha1:${commit}` } as const;
    diary.note({ ref, at, fact });
  }
}

/** When which commit arrived at an applier (from a source, or with what delivers it), and when a source came to offer it. */
export function landings(diary: Diary) {
  const landed = new Map<Page, readonly Landing[]>();
  const offered = new Map<Page, readonly Landing[]>();
  for (const page of diary.pages()) {
    if (page.object.ref.kind !== 'GitRepository') continue;
    const offers = offersOf(diary, page);
    offered.set(page, offers);
    noteOffers(diary, page, offers);
  }
  const appliers = diary.pages((object) => object.role === 'applier');
  for (const under of ['source', 'deliveredBy'] as const) {
    for (const page of appliers) {
      const from = page.object[under] && diary.page(page.object[under]);
      const offers = from && (offered.get(from) ?? landed.get(from));
      if (offers && !landed.has(page)) landed.set(page, landingsOf(diary, page, offers));
    }
  }
  return { landed, offered };
}
