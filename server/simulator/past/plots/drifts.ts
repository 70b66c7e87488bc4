import type { Correction } from '#lib/domain/record/current.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { overlap } from '../../fleet/plan.ts';
import { chancesIn, lasting, momentsIn } from '../calendar.ts';
import type { Diary } from '../diary.ts';
import type { Page } from '../episodes.ts';

function correct(diary: Diary, page: Page, correction: Correction): void {
  const { cluster } = page.object.ref;
  const blind = diary.blindness.some(
    (one) => one.cluster === cluster && correction.at >= one.from && correction.at < one.to,
  );
  const exists = page.spans.some((one) => one.noticedAt < correction.at && (one.goneAt ?? diary.to) > correction.at);
  const doubled = page.corrections.some(({ at }) => at === correction.at);
  if (!blind && exists && !doubled && correction.at < diary.to) page.corrections.push(correction);
}

/** Differences that were found and undone: by helm-controller surely, by others probably. */
export function corrections(diary: Diary): void {
  const { random } = diary;
  const releases = diary.pages((object) => object.ref.kind === 'HelmRelease' && object.ref.name !== 'mail');
  const appliers = diary.pages((object) => object.ref.kind === 'Kustomization');
  const managed = diary.pages((object) => object.role === 'managed');
  for (const at of momentsIn(diary, 6)) {
    const how = random.next();
    const [list, certainty] =
      how < 0.3
        ? ([releases, 'confirmed'] as const)
        : how < 0.75
          ? ([appliers, 'probable'] as const)
          : ([managed, 'probable'] as const);
    // A few of them drift again and again.
    const last = list.length - 1;
    const page = list[random.next() < 0.5 ? random.between(0, Math.min(5, last)) : random.between(0, last)];
    if (!page) continue;
    const { name, kind } = page.object.ref;
    const said =
      certainty === 'confirmed'
        ? `Deployment/${name}/${name} changed (0 additions, 1 changes, 0 removals)`
        : kind === 'Kustomization'
          ? `Deployment/${name}/${name}-api configured`
          : 'Successfully requested update of external resource';
    correct(diary, page, { at, certainty, said, count: 1 });
  }
}

/** Two Kustomizations that both apply one object undo each other on each pass. */
export function fights(diary: Diary): void {
  const { random } = diary;
  const fighters = diary.pages(
    ({ ref: { cluster, kind, name } }) =>
      cluster === overlap.cluster && kind === 'Kustomization' && overlap.components.some((one) => one === name),
  );
  for (const begin of momentsIn(diary, 0.35))
    for (const page of fighters)
      for (let at = begin; at < begin + 4 * hour; at += hour)
        correct(diary, page, {
          at: at + random.between(1, 3_000) * 1000,
          certainty: 'contested',
          said: `${overlap.resource} configured`,
          count: random.between(1, 3),
        });
}

/** Differences that were found and left: releases that only warn. */
export function driftsLeft(diary: Diary): void {
  const { random } = diary;
  const warned = diary.pages((object) => object.ref.kind === 'HelmRelease' && object.ref.name === 'mail');
  for (const [at, page] of chancesIn(diary, 0.3, warned)) {
    const message =
      'Cluster state of release mail/mail.v3 has drifted from the desired state:\nDeployment/mail/mail changed (0 additions, 1 changes, 0 removals)';
    const drift = { verdict: 'drifted', at, reason: 'DriftDetected', message } as const;
    diary.away(page, [drift], at + lasting(16 * hour, 5 * day, random));
  }
}
