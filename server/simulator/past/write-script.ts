import { day } from '#lib/domain/time/length.ts';
import { seededRandom } from '../random.ts';
import { createDiary } from './diary.ts';
import type { Page } from './episodes.ts';
import type { Inventory } from './inventory.ts';
import { landings } from './landings.ts';
import { corrections, driftsLeft, fights } from './plots/drifts.ts';
import { opening } from './plots/opening.ts';
import { blindKinds, planBlindness, planWork } from './plots/losses.ts';
import { plannedWork, providerOutages, refusals, stoppedControllers } from './plots/outages.ts';
import { comingsAndGoings, suspensions, weakenings } from './plots/people.ts';
import { badCommits, blips, slowRollouts } from './plots/rollouts.ts';
import { planAlarms, type SilentNow } from './plan-alarms.ts';
import type { Episode, Landing, ObjectPast, Script, Stage } from './script.ts';

/** Time before the moment of its inventory at which a past ends (ms): what is younger is for the one who looks first. */
const margin = 60_000;

/** Makes up the past of a fleet: `days` of it, before the moment of the inventory. The same arguments give the same past. */
export function writeScript(
  inventory: Inventory,
  seed: number,
  days = 90,
  isSilentNow: SilentNow = () => false,
): Script {
  const to = inventory.at - margin;
  const from = to - days * day;
  const random = seededRandom(seed);
  const blindness = planBlindness({ inventory, from, to, random: random.fork('blindness') });
  const planned = planWork(inventory, { to, blindness });
  const diary = createDiary({ inventory, from, to, blindness, planned, random: random.fork('diary') });
  for (const plot of [
    opening,
    comingsAndGoings,
    blindKinds,
    plannedWork,
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
  const { landed, offered } = landings(diary);
  const runsOf = (page: Page): readonly Landing[] => {
    const under = page.object.deliveredBy ?? page.object.partOf;
    const beneath = under && diary.page(under);
    return landed.get(page) ?? offered.get(page) ?? (beneath ? runsOf(beneath) : []);
  };
  const clusters = inventory.clusters.map(({ name }) => name);
  const objects = diary.pages().map((page) => pastOf(page, landed.get(page) ?? [], runsOf(page)));
  return {
    from,
    to,
    clusters,
    objects,
    alarms: planAlarms({ from, to, clusters, objects, random: random.fork('alarms'), isSilentNow }),
    blindness,
    planned,
    changes: diary.changes.toSorted((a, b) => a.noticedAt - b.noticedAt),
  };
}

function pastOf(page: Page, landed: readonly Landing[], runs: readonly Landing[]): ObjectPast {
  const { object, spans, episodes, corrections: corrected } = page;
  return {
    object,
    spans,
    episodes: episodes.toSorted((a, b) => a.stages[0].noticedAt - b.stages[0].noticedAt).map((one) => ran(one, runs)),
    corrections: corrected.toSorted((a, b) => a.at - b.at),
    landings: landed,
    runs,
  };
}

/** Commits that ran at each word of an episode. */
function ran({ stages: [first, ...rest], home }: Episode, runs: readonly Landing[]): Episode {
  const at = (stage: Stage): Stage => ({ ...stage, commit: runningAt(runs, stage.noticedAt) });
  return { stages: [at(first), ...rest.map(at)], home: home && at(home) };
}

/** The commit that ran at a moment (ms since the epoch); null where that is not known. */
export function runningAt(runs: readonly Landing[], at: number): string | null {
  return runs.findLast((one) => one.at <= at)?.commit ?? null;
}
