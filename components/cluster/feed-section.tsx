'use client';

import { compareText } from '#lib/domain/observation/compare-text.ts';
import { useState } from 'react';
import type { WireCluster, WireFeed } from '#lib/api/cluster.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { useMoment } from '../shell/moment/moment.tsx';
import { Section } from '../ui/page/page.tsx';
import { ForbiddenGroups } from './forbidden-groups.tsx';
import { feedAppearance, missingRule, type FeedAppearance } from './trust-text.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { Duration } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';

/** Reading of each kind: one line a kind, or one for all that are in the same trouble for the same reason. */
export function FeedSection({ cluster }: { readonly cluster: WireCluster }) {
  const { feeds } = cluster;
  const past = useMoment() !== null;
  const lines = groupFeeds(feeds.filter(({ state }) => state !== 'idle' && state !== 'absent'));
  const quiet = lines.filter(({ first }) => !feedAppearance(first).loud);
  const [open, setOpen] = useState(false);
  return (
    <Section
      id="feeds"
      title={past ? 'What was being read' : 'What is read'}
      note={past ? 'how many objects' : feedNote(cluster)}
    >
      {!past && cluster.state === 'live' && <ForbiddenGroups cluster={cluster} />}
      {lines.length === 0 ? (
        <p className="text-mute">Nothing is being read here.</p>
      ) : (
        <ul className={open ? 'trust' : 'trust folded-on-phone'}>
          {lines.map((group) => (
            <FeedLine key={group.key} group={group} seen={cluster.state === 'live'} />
          ))}
        </ul>
      )}
      {quiet.length > 0 && !open && (
        <button type="button" className="link hidden py-1 max-[641px]:inline-block" onClick={() => setOpen(true)}>
          {countOf(quiet.length, 'kind')} live: show {quiet.length === 1 ? 'it' : 'them'}
        </button>
      )}
      <Names title={probedKinds(cluster)} feeds={feeds.filter(({ state }) => state === 'idle')} />
      <Unread title="served, known and not judged" kinds={cluster.unread.filter(({ why }) => why !== null)} />
      <Unread title="served and not known to Plumbline" kinds={cluster.unread.filter(({ why }) => why === null)} />
      <Names title="Not served by this cluster" feeds={feeds.filter(({ state }) => state === 'absent')} />
    </Section>
  );
}

function feedNote({ protocol, version }: WireCluster): string {
  const spoken =
    protocol === 'http/1.1' ? 'over HTTP/1.1: one connection a kind' : protocol === 'h2' ? 'over HTTP/2' : '';
  const columns = 'how many objects, and how long ago the last word';
  return [[version === null ? '' : `Kubernetes ${version}`, spoken].filter((part) => part !== '').join(', '), columns]
    .filter((part) => part !== '')
    .join('; ');
}

/** Time for which an object of a kind without any may go unseen. What is named by another object is watched at once. */
function probedKinds({ probes }: WireCluster): string {
  const wait = probes === null ? '' : ` (longest wait ${formatDuration(probes.longestMs)})`;
  return `served, without objects: not watched, but looked at in turn${wait}`;
}

/** `seen`: whether the cluster itself is; where it is not, its own reason stands at the top of the page once. */
function FeedLine({ group, seen }: { readonly group: FeedGroup; readonly seen: boolean }) {
  const { first, feeds } = group;
  const appearance = feedAppearance(first);
  const past = useMoment() !== null;
  const since = feeds.reduce((oldest, feed) => (feed.since < oldest ? feed.since : oldest), first.since);
  return (
    <li className={appearance.loud ? 'trust-line loud' : 'trust-line'}>
      <Sign appearance={appearance} />
      <span className="trust-name">
        {feeds.length === 1 ? (
          <>
            {first.kind} <span className="text-mute">{shortGroup(first.group)}</span>
          </>
        ) : (
          countOf(feeds.length, 'kind')
        )}
      </span>
      <span className="trust-word">{appearance.word}</span>
      <span className="trust-count">{formatCount(feeds.reduce((sum, { objects }) => sum + objects, 0))}</span>
      <span className="trust-age">
        {/* When each last spoke before a past moment is not kept. */}
        <Age at={appearance.loud ? since : past ? null : first.lastWordAt} />
      </span>
      {appearance.loud && (seen || feeds.length > 1) && (
        <span className="trust-why">
          {feeds.length > 1 && first.state !== 'forbidden' && <>{listed(feeds)}. </>}
          {seen && <Why feeds={feeds} first={first} />}
        </span>
      )}
    </li>
  );
}

function Why({ feeds, first }: Omit<FeedGroup, 'key'>) {
  if (first.state !== 'forbidden')
    return (
      first.reason ?? (first.state === 'silent' ? 'No word and no bookmark for too long.' : 'The reason is not known.')
    );
  return (
    <>
      {feeds.length === 1 && first.reason !== null && `${first.reason}; `}
      {missingRule(feeds)}.
    </>
  );
}

const namesShown = 60;

/** Kinds that carry nothing, by name only. */
function Names({ title, feeds }: { readonly title: string; readonly feeds: readonly WireFeed[] }) {
  if (feeds.length === 0) return null;
  return (
    <p className="trust-names">
      <b className="font-medium text-ink">{formatCount(feeds.length)}</b> {title}: {listed(feeds)}
    </p>
  );
}

/** Kinds that nothing is said of: objects of them are in no list and in no count. */
function Unread({ title, kinds }: { readonly title: string; readonly kinds: WireCluster['unread'] }) {
  if (kinds.length === 0) return null;
  const names = kinds.map(({ group, kind, why }) => `${kind}.${shortGroup(group)}${why === null ? '' : ` (${why})`}`);
  return (
    <p className="trust-names">
      <b className="font-medium text-ink">{formatCount(kinds.length)}</b> {title}: {names.join(', ')}
    </p>
  );
}

function listed(feeds: readonly WireFeed[]): string {
  const names = feeds.slice(0, namesShown).map(({ group, kind }) => `${kind}.${shortGroup(group)}`);
  const more = feeds.length - namesShown;
  return `${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

/** The part of a group that tells it apart: "kustomize.toolkit", "rds.aws". */
function shortGroup(group: string): string {
  if (group === '') return 'core';
  return group.replace(/\.(?:fluxcd\.io|upbound\.io|crossplane\.io|k8s\.io)$/, '');
}

/** Line of the page: one kind, or several that are in the same trouble for the same reason. */
interface FeedGroup {
  readonly key: string;
  readonly first: WireFeed;
  readonly feeds: readonly WireFeed[];
}

const stateOrder: readonly WireFeed['state'][] = ['forbidden', 'failed', 'silent', 'syncing', 'live', 'idle', 'absent'];

function byTrouble(a: WireFeed, b: WireFeed): number {
  return (
    stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) ||
    Number(a.objects === 0) - Number(b.objects === 0) ||
    compareText(kindKey(a), kindKey(b))
  );
}

/** Key of the kinds of one line. A refusal names each resource in its words: there the API group is what must be granted. */
function keyOf(feed: WireFeed): string {
  if (!feedAppearance(feed).loud) return kindKey(feed);
  return `${feed.state} ${feed.state === 'forbidden' ? feed.group : (feed.reason ?? '')}`;
}

/** Kinds as lines, troubles first: one cause is said once, with all that it takes. */
function groupFeeds(feeds: readonly WireFeed[]): readonly FeedGroup[] {
  return [...Map.groupBy(feeds.toSorted(byTrouble), keyOf)].flatMap(([key, members]) => {
    const [first] = members;
    return first === undefined ? [] : [{ key, first, feeds: members }];
  });
}

/** The sign of a feed or a controller; a refusal has one of its own. */
export function Sign({ appearance }: { readonly appearance: FeedAppearance }) {
  if (appearance.sign === 'none') return <span className="trust-sign" />;
  if (appearance.sign === 'refused') {
    return (
      <svg
        className="glyph"
        width={12}
        height={12}
        viewBox="0 0 12 12"
        aria-hidden="true"
        style={{ color: 'var(--diverged)' }}
      >
        <path className="drawn" d="M6 1.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6ZM2.7 2.7l6.6 6.6" />
      </svg>
    );
  }
  return <VerdictGlyph verdict={appearance.sign} />;
}

/** Age of something, where it is known. */
export function Age({ at }: { readonly at: string | null }) {
  return at === null ? null : <Duration since={at} />;
}
