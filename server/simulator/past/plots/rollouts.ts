import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { components } from '../../fleet/plan.ts';
import { chancesIn, lasting } from '../calendar.ts';
import type { Diary } from '../diary.ts';
import type { Page, StatusSummary } from '../episodes.ts';
import type { PastCommit } from '../inventory.ts';

const group = 'kustomize.toolkit.fluxcd.io';

function kustomization(diary: Diary, cluster: string, name: string): Page | undefined {
  return diary.page({ cluster, group, kind: 'Kustomization', namespace: 'flux-system', name });
}

/** The Kustomizations whose manifests a commit touches. */
function touched(diary: Diary, commit: PastCommit): readonly Page[] {
  const found = new Map<string, Page>();
  for (const path of commit.paths) {
    const [, , cluster = '', , name = ''] = path.split('/');
    const page = kustomization(diary, cluster, name);
    if (page) found.set(`${cluster}/${name}`, page);
  }
  return [...found.values()];
}

/** The cause of all that a commit broke, on all clusters. */
function causeOf({ sha }: PastCommit): string {
  return `commit ${sha}`;
}

/** In which of its steps a commit fails, by chance `how`. */
function failing(how: number): 'build' | 'apply' | 'health' {
  if (how < 0.45) return 'build';
  return how < 0.65 ? 'apply' : 'health';
}

/** Sign of a bad commit on an applier. */
function failure(page: Page, commit: PastCommit, at: number, how: number): StatusSummary {
  const { name } = page.object.ref;
  const [attempted, cause] = [`main@sha1:${commit.sha}`, causeOf(commit)];
  const seconds = 0.013 + (at % 1000) / 1000;
  if (failing(how) === 'build')
    return {
      verdict: 'diverged',
      at,
      attempted,
      cause,
      reason: 'BuildFailed',
      message: `kustomize build failed: accumulating resources: accumulation err='accumulating resources from '${name}-patch.yaml'': no such file or directory`,
    };
  if (failing(how) === 'apply')
    return {
      verdict: 'diverged',
      at,
      attempted,
      cause,
      reason: 'ReconciliationFailed',
      message: `Deployment/${name}/${name}-api dry-run failed (Invalid): spec.template.spec.containers[0].resources.requests: must be less than or equal to memory limit`,
    };
  return {
    verdict: 'unhealthy',
    at,
    attempted,
    cause,
    reason: 'HealthCheckFailed',
    message: `health check failed after ${(30 + seconds).toFixed(9)}s: timeout waiting for: [Deployment/${name}/${name}-api status: 'InProgress']`,
  };
}

/** Appliers that depend on a broken one wait for it. */
function wait(diary: Diary, broken: Page, cause: string, at: number, home: number): void {
  const { cluster, name } = broken.object.ref;
  const rootCause: Cause = { type: 'object', ref: broken.object.ref };
  for (const component of components) {
    if (!component.dependsOn.includes(name)) continue;
    const page = kustomization(diary, cluster, component.name);
    const begin = at + diary.random.between(5, 40) * 1000;
    if (!page) continue;
    const message = `dependency 'flux-system/${name}' is not ready`;
    const said = { verdict: 'waiting', at: begin, reason: 'DependencyNotReady', message, rootCause, cause } as const;
    diary.away(page, [said], home + diary.random.between(8, 70) * 1000);
  }
}

/** A commit broke what it touches, until the one that mends it arrived; some look well for a moment in between. */
function breakBy(diary: Diary, bad: PastCommit, fix: PastCommit): void {
  const { random } = diary;
  const how = random.next();
  const pages = touched(diary, bad);
  const last = Math.max(...pages.map(({ object }) => diary.knownBy(object.ref, fix.time + 270_000)));
  if (!diary.isAlone(`bad commit ${failing(how)}`, causeOf(bad), bad.time, last)) return;
  for (const page of pages) {
    if (random.next() < 0.12) continue;
    const at = bad.time + random.between(25, 150) * 1000;
    const home = fix.time + random.between(25, 200) * 1000;
    const said = failure(page, bad, at, how);
    const flaps = failing(how) === 'health' && home - at > 30 * minute && random.next() < 0.4;
    const middle = Math.round((at + home) / 2);
    const breath: StatusSummary = { verdict: 'converged', at: middle, reason: 'ReconciliationSucceeded' };
    const all: [StatusSummary, ...StatusSummary[]] = flaps
      ? [said, breath, { ...said, at: middle + random.between(40, 90) * 1000 }]
      : [said];
    if (diary.away(page, all, home) && !flaps) wait(diary, page, causeOf(bad), at, home);
  }
}

/** Bad commits and the commits that mended them, told by their subjects. */
export function badCommits(diary: Diary): void {
  const { commits } = diary.inventory;
  for (const fix of commits) {
    const name = /^Fix ([\w-]+):/.exec(fix.subject)?.[1];
    if (!name) continue;
    const isBad = ({ time, subject, paths }: PastCommit): boolean =>
      time < fix.time && !subject.startsWith('Fix ') && paths.some((path) => fix.paths.includes(path));
    const bad = commits.findLast(isBad);
    if (bad && bad.time > diary.from) breakBy(diary, bad, fix);
  }
}

/** Components that take long to come up: behind what their source offers for a while. */
export function slowRollouts(diary: Diary): void {
  const { random, inventory } = diary;
  for (const commit of inventory.commits) {
    if (commit.time <= diary.from || commit.subject.startsWith('Fix ')) continue;
    for (const page of touched(diary, commit)) {
      const waits = components.find((one) => one.name === page.object.ref.name)?.wait ?? false;
      if (random.next() >= (waits ? 0.35 : 0.04)) continue;
      const at = commit.time + random.between(150, 260) * 1000;
      const message = `Running health checks for revision main@sha1:${commit.sha} with a timeout of 30m0s`;
      const said = { verdict: 'behind', at, reason: 'Behind', message, attempted: `main@sha1:${commit.sha}` } as const;
      diary.away(page, [said], at + lasting(9 * minute, 2 * hour, random));
    }
  }
}

/** Writes faults that come and go by themselves: webhooks that time out, registries that do not answer. */
export function blips(diary: Diary): void {
  const { random } = diary;
  const appliers = diary.pages((object) => object.role === 'applier');
  for (const [at, page] of chancesIn(diary, 2.5, appliers)) {
    const message = 'failed calling webhook "validate.policy.svc": context deadline exceeded';
    const reason = page.object.ref.kind === 'HelmRelease' ? 'UpgradeFailed' : 'ReconciliationFailed';
    const home = at + lasting(11 * minute, 6 * hour, random);
    const { cluster, kind, name } = page.object.ref;
    if (diary.isAlone(`webhook of ${kind} ${name}`, `${cluster} at ${at}`, at, diary.knownBy(page.object.ref, home)))
      diary.away(page, [{ verdict: 'diverged', at, reason, message }], home);
  }
  const sources = diary.pages((object) => object.ref.kind === 'HelmRepository' || object.ref.kind === 'OCIRepository');
  for (const [at, page] of chancesIn(diary, 0.7, sources)) {
    const message = 'failed to fetch: net/http: TLS handshake timeout';
    const said = { verdict: 'stale', at, reason: 'FetchFailed', message } as const;
    diary.away(page, [said], at + lasting(40 * minute, 9 * hour, random));
  }
}
