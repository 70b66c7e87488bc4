import { createHash } from 'node:crypto';
import { kubeTime } from '../api/kube-object.ts';
import type { Fetched } from '../controllers/source-controller.ts';
import type { Offer } from '../objects/source.ts';
import type { Commit } from '../repository/control-repository.ts';
import { revisionOf } from '../repository/control-repository.ts';

/** Offer of a GitRepository for a commit. */
export function gitOffer(commit: Commit): Fetched {
  const revision = revisionOf(commit);
  const offer: Offer = { revision, message: `stored artifact for revision '${revision}'`, reason: 'Succeeded' };
  return { is: 'fetched', offer, news: `stored artifact for commit '${commit.subject}'` };
}

/** Offer of an OCIRepository for a version of an image of policies that was made from a commit. */
export function ociOffer(name: string, version: string, origin: Commit): Fetched {
  const digest = createHash('sha256').update(`${name}:${version}`).digest('hex');
  const revision = `${version}@sha256:${digest}`;
  const metadata = {
    'org.opencontainers.image.revision': revisionOf(origin),
    'org.opencontainers.image.source': 'https://git.acme.example/platform/policy-bundle.git',
    'org.opencontainers.image.created': kubeTime(origin.time),
  };
  const offer: Offer = { revision, metadata, message: `stored artifact for digest '${revision}'`, reason: 'Succeeded' };
  return {
    is: 'fetched',
    offer,
    news: `stored artifact with revision '${revision}' from 'oci://registry.acme.example/policy/${name}'`,
  };
}

/** Offer of a HelmChart for a version of a chart. */
export function chartOffer(name: string, version: string): Fetched {
  const message = `pulled '${name}' chart with version '${version}'`;
  return { is: 'fetched', offer: { revision: version, message, reason: 'ChartPullSucceeded' }, news: message };
}

/** Offer of a HelmRepository for the index at a URL. */
export function indexOffer(name: string): Fetched {
  const revision = `sha256:${createHash('sha256').update(name).digest('hex')}`;
  const message = `stored artifact: revision '${revision}'`;
  return {
    is: 'fetched',
    offer: { revision, message, reason: 'Succeeded' },
    news: `stored fetched index of size 412.1kB from '${name}'`,
  };
}
