import { day, minute } from '#lib/domain/time/length.ts';
import type { ClusterPlan, Component } from '../fleet/plan.ts';
import { components } from '../fleet/plan.ts';
import type { Random } from '../random.ts';
import type { Author, Draft } from './control-repository.ts';
import { firstFiles, overlay, overlayPath } from './manifests.ts';

/** The people of the simulated organisation. */
export const authors: readonly [Author, Author, Author, ...Author[]] = [
  { name: 'Ines Moreau', email: 'ines.moreau@acme.example' },
  { name: 'Tomasz Nowak', email: 'tomasz.nowak@acme.example' },
  { name: 'Priya Raman', email: 'priya.raman@acme.example' },
  { name: 'Jonas Lindqvist', email: 'jonas.lindqvist@acme.example' },
  { name: 'Amara Okafor', email: 'amara.okafor@acme.example' },
  { name: 'renovate[bot]', email: 'renovate@acme.example' },
];

/** The versions of every component on every cluster, as the last commit has them. */
export interface Versions {
  /** Raises the last number of a component's version and gives the new version. */
  raise(component: Component): string;
  current(component: Component): string;
}

/** Starts at the components' first versions. */
export function startVersions(): Versions {
  const versions = new Map<string, string>();
  const current = (component: Component): string => versions.get(component.name) ?? component.version;
  return {
    current,
    raise(component) {
      const parts = current(component).split('.');
      const last = Number(parts.pop() ?? '0') + 1;
      const next = [...parts, String(last)].join('.');
      versions.set(component.name, next);
      return next;
    },
  };
}

/** A commit that sets a component's version on some clusters. `$` in its subject is the version; `more`: resources of its overlay. */
export function rollout(
  component: Component,
  version: string,
  clusters: readonly ClusterPlan[],
  subject: string,
  author: Author,
  time: number,
  more: readonly string[] = [],
): Draft {
  const content = overlay(component, version, more);
  const files = new Map(clusters.map((cluster) => [overlayPath(cluster, component), content]));
  return { subject: subject.replace('$', version), author, time, files };
}

const reasons: readonly [string, ...string[]] = [
  'pick up the fix for slow cold starts',
  'rotate the signing key',
  'lower the memory request',
  'retry on connection reset',
  'trust the new intermediate certificate',
  'drop the unused sidecar',
  'raise the request timeout to 30 s',
];

/** Faults of a commit, as the one that mends it says. */
const mends: readonly [string, ...string[]] = [
  'name the patch that is there',
  'requests must not exceed limits',
  'wait for the migration before ready',
  'put back the probe path',
];

function isWeekend(at: number): boolean {
  const weekday = new Date(at).getUTCDay();
  return weekday === 0 || weekday === 6;
}

/**
 * Three months of commits up to `until` (ms): a first one with everything, then versions that go to staging and, most of
 * them, to production a while later. Some are bad: what mends them comes within hours, and its subject begins with "Fix" and
 * the component's name. The same arguments give the same commits.
 */
export function seedPast(clusters: readonly ClusterPlan[], until: number, random: Random, versions: Versions): Draft[] {
  const length = 92 * day;
  const start = Math.floor(until / 1000) * 1000 - length;
  const [first] = authors;
  const drafts: Draft[] = [{ subject: 'Lay out the fleet', author: first, time: start, files: firstFiles(clusters) }];
  const staging = clusters.filter((cluster) => cluster.environment !== 'production');
  const production = clusters.filter((cluster) => cluster.environment === 'production');
  const rounds = 90;
  for (let round = 1; round <= rounds; round++) {
    const at = start + Math.floor((round * (length / 1000 - 8 * 3600)) / (rounds + 1)) * 1000;
    const component = components[random.between(1, components.length - 1)];
    if (!component || (isWeekend(at) && random.next() < 0.7)) continue;
    const version = versions.raise(component);
    const author = random.pick(authors);
    const bot = author.name.endsWith('[bot]');
    const subject = bot
      ? `chore(deps): update ${component.name} to $`
      : `${component.name} $: ${random.pick(reasons)} (staging)`;
    drafts.push(rollout(component, version, staging, subject, author, at));
    if (production.length === 0) continue;
    const promoted = at + random.between(40, 200) * minute;
    const promote = `Promote ${component.name} $ to production`;
    drafts.push(rollout(component, version, production, promote, random.pick(authors), promoted));
    if (random.next() < 0.35) drafts.push(mend(component, production, promoted + random.between(14, 150) * minute));
  }
  return drafts.sort((a, b) => a.time - b.time);

  function mend(component: Component, where: readonly ClusterPlan[], time: number): Draft {
    const version = versions.raise(component);
    const subject = `Fix ${component.name}: ${random.pick(mends)}`;
    return rollout(component, version, where, subject, random.pick([authors[0], authors[1], authors[2]]), time);
  }
}
