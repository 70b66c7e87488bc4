import { exemptionKinds } from '#lib/domain/exemption/exemption.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { uuid } from '../../objects/metadata.ts';
import { chancesIn, lasting } from '../calendar.ts';
import type { Diary } from '../diary.ts';
import type { Page, StatusSummary } from '../episodes.ts';

const hands = ['kubectl-edit', 'flux', 'kubectl-patch'] as const;

/** Objects that somebody switched off for a while; some were broken when they were, some were when they were switched on again. */
export function suspensions(diary: Diary): void {
  const { random } = diary;
  const appliers = diary.pages((object) => object.role === 'applier' && object.ref.kind !== 'Application');
  for (const [at, page] of chancesIn(diary, 1.1, appliers)) {
    const by = random.pick(hands);
    const end = at + lasting(14 * hour, 9 * day, random);
    const off: StatusSummary = { verdict: 'suspended', at, reason: 'Suspended' };
    const how = random.next();
    const message = 'Deployment/apps dry-run failed: conflict';
    const failed = { verdict: 'diverged', reason: 'ReconciliationFailed', message } as const;
    const [states, home]: [[StatusSummary, ...StatusSummary[]], number] =
      how < 0.2
        ? [[{ ...failed, at: at - 25 * minute }, off], end]
        : how < 0.3
          ? [[off, { ...failed, at: end }], end + lasting(20 * minute, 4 * hour, random)]
          : [[off], end];
    const { ref } = page.object;
    const [begin, last] = [states[0].at, diary.knownBy(ref, home)];
    const isTold =
      how >= 0.3 || diary.isAlone(`conflict of ${ref.kind} ${ref.name}`, `${ref.cluster} at ${at}`, begin, last);
    if (!isTold || !diary.away(page, states, home)) continue;
    diary.note({ ref, at, fact: { type: 'suspended', by, field: 'spec.suspend' } });
    diary.note({ ref, at: end, fact: { type: 'resumed', by, field: 'spec.suspend' } });
  }
}

/** Weakenings that were set by hand and taken back, and edits of specs. */
export function weakenings(diary: Diary): void {
  const { random } = diary;
  const usual: readonly string[] = ['prune-disabled', 'observe-only', 'drift-ignored', 'deletion-orphans'];
  const kinds = exemptionKinds.filter((kind) => usual.includes(kind));
  const able = diary.pages((object) => object.role === 'applier' || object.role === 'managed');
  for (const [at, page] of chancesIn(diary, 0.5, able)) {
    const kind = kinds[random.between(0, kinds.length - 1)];
    const to = at + lasting(30 * hour, 20 * day, random);
    if (!kind || !diary.isFree(page, at, at + minute)) continue;
    const { ref } = page.object;
    const field =
      kind === 'observe-only'
        ? 'spec.managementPolicies'
        : kind === 'deletion-orphans'
          ? 'spec.deletionPolicy'
          : 'spec.prune';
    diary.note({ ref, at, fact: { type: 'exemption-added', kind, field, by: 'kubectl-edit' } });
    if (diary.isFree(page, to, to + minute))
      diary.note({ ref, at: to, fact: { type: 'exemption-removed', kind, field, by: 'kustomize-controller' } });
  }
}

/** Resources that were deleted and made anew, resources that are there no more, and what the making of others looked like. */
export function comingsAndGoings(diary: Diary): void {
  const { random } = diary;
  for (const page of diary.pages()) {
    const [span] = page.spans;
    if (span?.bound === 'exact') birth(diary, page, span.at, span.noticedAt, 2 * minute);
  }
  const managed = diary.pages((object) => object.role === 'managed' && object.createdAt < diary.from);
  for (const [at, page] of chancesIn(diary, 0.25, managed))
    recreate(diary, page, at, lasting(20 * minute, 10 * hour, random));
  for (const [at, page] of chancesIn(diary, 0.2, managed)) bury(diary, page, at);
}

/** Made at a time, first seen at another, and well after a while. Times in ms. */
function birth(diary: Diary, page: Page, at: number, seen: number, usual: number): void {
  diary.note({ ref: page.object.ref, at, fact: { type: 'created' } });
  const begun = { verdict: 'progressing', at: seen, reason: 'Creating' } as const;
  diary.away(page, [begun], seen + lasting(usual, 40 * minute, diary.random));
}

/** Deleted and made again under the same name: another object, with a time between. */
function recreate(diary: Diary, page: Page, at: number, absent: number): void {
  const { random } = diary;
  const [span] = page.spans;
  const { ref, uid } = page.object;
  const gone = diary.noticed(ref, at);
  const made = at + absent;
  const seen = diary.noticed(ref, made, 60);
  if (!span || page.spans.length > 1 || seen - gone < minute || seen > diary.to - hour) return;
  if (!diary.isFree(page, at - hour, seen + hour)) return;
  page.spans[0] = { ...span, uid: uuid(random), goneAt: gone };
  page.spans.push({ uid, at: made, bound: 'exact', noticedAt: seen, goneAt: null });
  diary.note({ ref, at, fact: { type: 'deleted' } });
  birth(diary, page, made, seen, 3 * minute);
}

/** One like another was there once, and is there no more. */
function bury(diary: Diary, like: Page, at: number): void {
  const { random, from } = diary;
  const { object } = like;
  const name = `${random.pick(['legacy', 'trial', 'migration', 'old'])}-${object.ref.name.split('-')[0]}-${random.hex(4)}`;
  const ref = { ...object.ref, name };
  const uid = uuid(random);
  const noticedAt = from + random.between(1200, 6000);
  const goneAt = diary.noticed(ref, at);
  if (goneAt <= noticedAt + hour || goneAt >= diary.to) return;
  diary.add(
    { ...object, ref, uid, partOf: null, verdict: 'converged' },
    { uid, at: noticedAt - random.between(hour, 9 * day), bound: 'at-least', noticedAt, goneAt },
  );
  diary.note({ ref, at, fact: { type: 'deleted' } });
  giveUp(diary, ref, at);
}

/** Every other one that is there no more was not well when it was deleted: somebody gave it up. */
function giveUp(diary: Diary, ref: ObjectRef, at: number): void {
  const random = diary.random.fork(`given up: ${ref.cluster} ${ref.name}`);
  const begin = at - lasting(2 * hour, 3 * day, random);
  const page = diary.page(ref);
  const seen = diary.blindness.every((one) => one.cluster !== ref.cluster || one.to < begin || one.from > at + minute);
  if (!page || !seen || random.next() < 0.5) return;
  const message = `delete failed: api error AccessDenied: not authorized to modify ${ref.kind} ${ref.name}`;
  diary.away(page, [{ verdict: 'diverged', at: begin, reason: 'ReconcileError', message }], null);
}
