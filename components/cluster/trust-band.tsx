'use client';

import { useState } from 'react';
import type { WireCluster, WireController, WireFeed } from '#lib/api/cluster.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { Duration } from '../ui/duration.tsx';
import { SectionHead } from '../ui/section-head.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { controllerLook, feedLook, missingRule, type FeedLook } from './feed-words.ts';

/** How well the cluster is known: one line for every controller and every kind that is read. */
export function TrustBand({ cluster }: { readonly cluster: WireCluster }) {
  const feeds = cluster.feeds.toSorted(byTrouble);
  const lines = feeds.filter(({ state }) => state !== 'idle' && state !== 'absent');
  const quiet = lines.filter((feed) => !feedLook(feed).loud);
  const [open, setOpen] = useState(false);
  return (
    <>
      <section aria-labelledby="controllers">
        <SectionHead id="controllers" note="by their leases: how many objects depend on it, and how long ago it moved">
          Controllers
        </SectionHead>
        {cluster.controllers.length === 0 ? (
          <p className="text-mute">No controller has been seen here.</p>
        ) : (
          <ul className="trust">
            {cluster.controllers.toSorted(byLife).map((controller) => (
              <ControllerLine
                key={`${controller.namespace}/${controller.name}`}
                controller={controller}
                seen={cluster.state === 'live'}
              />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="feeds">
        <SectionHead id="feeds" note={feedNote(cluster)}>
          What is read
        </SectionHead>
        {lines.length === 0 ? (
          <p className="text-mute">Nothing is being read here.</p>
        ) : (
          <ul className={open ? 'trust' : 'trust folded-on-phone'}>
            {lines.map((feed) => (
              <FeedLine key={`${feed.group}/${feed.kind}`} feed={feed} seen={cluster.state === 'live'} />
            ))}
          </ul>
        )}
        {quiet.length > 0 && !open && (
          <button type="button" className="link phone-only py-1" onClick={() => setOpen(true)}>
            {countOf(quiet.length, 'kind')} live: show {quiet.length === 1 ? 'it' : 'them'}
          </button>
        )}
        <Names
          title="Served, no object yet; looked at again and again"
          feeds={feeds.filter(({ state }) => state === 'idle')}
        />
        <Names title="Not served by this cluster" feeds={feeds.filter(({ state }) => state === 'absent')} />
      </section>
    </>
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

function Sign({ look }: { readonly look: FeedLook }) {
  if (look.sign === 'none') return <span className="trust-sign" />;
  if (look.sign === 'refused') {
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
  return <VerdictGlyph verdict={look.sign} />;
}

/** `seen`: whether the cluster itself is; where it is not, its own reason stands at the top of the page once. */
function FeedLine({ feed, seen }: { readonly feed: WireFeed; readonly seen: boolean }) {
  const look = feedLook(feed);
  return (
    <li className={look.loud ? 'trust-line loud' : 'trust-line'}>
      <Sign look={look} />
      <span className="trust-name">
        {feed.kind} <span className="text-mute">{shortGroup(feed.group)}</span>
      </span>
      <span className="trust-word">{look.word}</span>
      <span className="trust-count">{formatCount(feed.objects)}</span>
      <span className="trust-age">
        <Age at={look.loud ? feed.since : feed.lastWordAt} />
      </span>
      {look.loud && seen && (
        <span className="trust-why">
          {feed.reason ??
            (feed.state === 'silent' ? 'no word and no bookmark for too long' : 'the reason is not known')}
          {feed.state === 'forbidden' && (
            <>
              ; {missingRule(feed)}. <code>plumbline rbac</code> prints the rules.
            </>
          )}
        </span>
      )}
    </li>
  );
}

function ControllerLine({ controller, seen }: { readonly controller: WireController; readonly seen: boolean }) {
  const look = controllerLook(controller);
  const { lastMovedAt, durationSeconds, objects } = controller;
  return (
    <li className={look.loud && seen && objects > 0 ? 'trust-line loud' : 'trust-line'}>
      <Sign look={look} />
      <span className="trust-name">
        {controller.name} <span className="text-mute">{controller.namespace}</span>
      </span>
      <span className="trust-word">{look.word}</span>
      <span className="trust-count">{formatCount(objects)}</span>
      <span className="trust-age">
        <Age at={lastMovedAt} />
      </span>
      {controller.state !== 'alive' && seen && (
        <span className="trust-why">
          {lastMovedAt === null ? 'its lease has not moved since it is watched' : 'its lease does not move any more'}
          {durationSeconds !== null && `; it should within ${durationSeconds} s`}
          {objects > 0 && `. ${countOf(objects, 'object')} ${objects === 1 ? 'depends' : 'depend'} on it.`}
        </span>
      )}
    </li>
  );
}

function Age({ at }: { readonly at: string | null }) {
  return at === null ? null : <Duration since={at} />;
}

const namesShown = 60;

/** Kinds that carry nothing, by name only. */
function Names({ title, feeds }: { readonly title: string; readonly feeds: readonly WireFeed[] }) {
  if (feeds.length === 0) return null;
  const more = feeds.length - namesShown;
  return (
    <p className="trust-names">
      <b className="font-medium text-ink">{formatCount(feeds.length)}</b> {title}:{' '}
      {feeds
        .slice(0, namesShown)
        .map(({ group, kind }) => `${kind}.${shortGroup(group)}`)
        .join(', ')}
      {more > 0 && ` and ${formatCount(more)} more`}
    </p>
  );
}

/** The part of a group that tells it apart: "kustomize.toolkit", "rds.aws". */
function shortGroup(group: string): string {
  if (group === '') return 'core';
  return group.replace(/\.(?:fluxcd\.io|upbound\.io|crossplane\.io|k8s\.io)$/, '');
}

const stateOrder: readonly WireFeed['state'][] = ['forbidden', 'failed', 'silent', 'syncing', 'live', 'idle', 'absent'];

function byTrouble(a: WireFeed, b: WireFeed): number {
  return (
    stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) ||
    Number(a.objects === 0) - Number(b.objects === 0) ||
    (`${a.group}/${a.kind}` < `${b.group}/${b.kind}` ? -1 : 1)
  );
}

const lifeOrder: readonly WireController['state'][] = ['dead', 'unknown', 'alive'];

function byLife(a: WireController, b: WireController): number {
  return lifeOrder.indexOf(a.state) - lifeOrder.indexOf(b.state) || b.objects - a.objects || (a.name < b.name ? -1 : 1);
}
