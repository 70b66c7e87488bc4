import type { ClusterPlan, Component } from '../fleet/plan.ts';
import { components } from '../fleet/plan.ts';
import type { Random } from '../random.ts';
import type { Author, Draft } from './control-repository.ts';
import { firstFiles, overlay, overlayPath } from './manifests.ts';

/** The people of the simulated organisation. */
export const authors: readonly [Author, ...Author[]] = [
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

/** A commit that sets a component's version on some clusters. */
export function rollout(
  component: Component,
  version: string,
  clusters: readonly ClusterPlan[],
  subject: string,
  author: Author,
  time: number,
): Draft {
  const files = new Map(clusters.map((cluster) => [overlayPath(cluster, component), overlay(component, version)]));
  return { subject, author, time, files };
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

/**
 * Three weeks of commits up to `until` (ms): a first one with everything, then versions that go to staging and, most of
 * them, to production a while later. The same arguments give the same commits.
 */
export function seedPast(clusters: readonly ClusterPlan[], until: number, random: Random, versions: Versions): Draft[] {
  const day = 86_400_000;
  const start = Math.floor(until / 1000) * 1000 - 21 * day;
  const [first] = authors;
  const drafts: Draft[] = [{ subject: 'Lay out the fleet', author: first, time: start, files: firstFiles(clusters) }];
  const staging = clusters.filter((cluster) => cluster.environment !== 'production');
  const production = clusters.filter((cluster) => cluster.environment === 'production');
  const rounds = 34;
  for (let round = 1; round <= rounds; round++) {
    const at = start + (round * (21 * day - 3 * 3_600_000)) / (rounds + 1);
    const component = components[random.between(1, components.length - 1)];
    if (!component) continue;
    const version = versions.raise(component);
    const author = random.pick(authors);
    const bot = author.name.endsWith('[bot]');
    const subject = bot
      ? `chore(deps): update ${component.name} to ${version}`
      : `${component.name} ${version}: ${random.pick(reasons)}`;
    drafts.push(rollout(component, version, staging, bot ? subject : `${subject} (staging)`, author, at));
    if (production.length > 0) {
      drafts.push(
        rollout(
          component,
          version,
          production,
          `Promote ${component.name} ${version} to production`,
          random.pick(authors),
          at + random.between(40, 300) * 60_000,
        ),
      );
    }
  }
  return drafts.sort((a, b) => a.time - b.time);
}
