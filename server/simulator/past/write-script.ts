import { seededRandom } from '../random.ts';
import { day } from './calendar.ts';
import { createDiary, type Page } from './diary.ts';
import type { Inventory } from './inventory.ts';
import { landings } from './landings.ts';
import { corrections, driftsLeft, fights } from './plots/drifts.ts';
import { opening } from './plots/opening.ts';
import { blindKinds, planBlindness, providerOutages, refusals, stoppedControllers } from './plots/outages.ts';
import { comingsAndGoings, suspensions, weakenings } from './plots/people.ts';
import { badCommits, blips, slowRollouts } from './plots/rollouts.ts';
import type { Episode, Landing, ObjectPast, Script, Stage } from './script.ts';

/** How long before the moment of its inventory a past ends (ms): what is younger is for the one who looks first. */
const margin = 60_000;

/** Makes up the past of a fleet: `days` of it, before the moment of the inventory. The same arguments give the same past. */
export function writeScript(inventory: Inventory, seed: number, days = 90): Script {
  const to = inventory.at - margin;
  const from = to - days * day;
  const random = seededRandom(seed);
  const blindness = planBlindness({ inventory, from, to, random: random.fork('blindness') });
  const diary = createDiary({ inventory, from, to, blindness, random: random.fork('diary') });
  for (const plot of [
    opening,
    comingsAndGoings,
    blindKinds,
    providerOutages,
    stoppedControllers,
    badCommits,
    slowRollouts,
    suspensions,
    refusals,
    driftsLeft,
    blips,
    weakenings,
    corrections,
    fights,
  ])
    plot(diary);
  const landed = landings(diary);
  return {
    from,
    to,
    clusters: inventory.clusters.map(({ name }) => name),
    objects: diary.pages().map((page) => pastOf(page, landed.get(page) ?? [], landedBeneath(page, landed, diary.page))),
    blindness,
    changes: diary.changes.toSorted((a, b) => a.noticedAt - b.noticedAt),
  };
}

/** What runs of what is delivered is what its deliverer has landed. */
function landedBeneath(
  { object }: Page,
  landed: ReadonlyMap<Page, readonly Landing[]>,
  find: (ref: Page['object']['ref']) => Page | undefined,
): readonly Landing[] {
  const under = object.deliveredBy && find(object.deliveredBy);
  return (under && landed.get(under)) ?? [];
}

function pastOf(
  { object, lives, episodes, corrections: corrected }: Page,
  landed: readonly Landing[],
  beneath: readonly Landing[],
): ObjectPast {
  const runs = landed.length > 0 ? landed : beneath;
  return {
    object,
    lives,
    episodes: episodes.toSorted((a, b) => a.stages[0].noticedAt - b.stages[0].noticedAt).map((one) => ran(one, runs)),
    corrections: corrected.toSorted((a, b) => a.at - b.at),
    landings: landed,
  };
}

/** What ran at each word of an episode. */
function ran({ stages: [first, ...rest], home }: Episode, landed: readonly Landing[]): Episode {
  const at = (stage: Stage): Stage => ({ ...stage, commit: runningAt(landed, stage.noticedAt) });
  return { stages: [at(first), ...rest.map(at)], home: home && at(home) };
}

/** The commit that ran at a moment (ms since the epoch); null where that is not known. */
export function runningAt(landed: readonly Landing[], at: number): string | null {
  return landed.findLast((one) => one.at <= at)?.commit ?? null;
}
