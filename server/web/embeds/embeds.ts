import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { LinkQuery, WireLink } from '#lib/api/embed.ts';
import type { EmbedForm, EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { parseScope, scopeForms, scopeText } from '#lib/domain/matrix/embed-scope.ts';
import { badgeRefusal, badgeSvg } from '#lib/draw/embed/badge.ts';
import type { EmbedContent, EmbedFrame } from '#lib/draw/embed/embed-content.ts';
import { embedPage, embedRefusal } from '#lib/draw/embed/embed-page.ts';
import { refuse, unreadable, type Refused } from '../http/problem.ts';
import { sendBody } from '../http/send.ts';
import type { ReportService } from '../report/report-service.ts';
import { columnParts } from './column-parts.ts';
import { nothingContent } from './content-words.ts';
import { setEmbedHeaders } from './embed-headers.ts';
import type { KeyRing } from './key-file.ts';
import { figureContent } from './figure-content.ts';
import { linkAllowance } from './link-allowance.ts';
import type { LinkList } from './link-list.ts';
import { readerLink, type ReaderLinkDeps } from './reader-link.ts';
import type { ContentSource } from './scope-content.ts';
import { scopeContent } from './scope-content.ts';
import { isThere } from './scope-there.ts';
import { openLink, type OpenedLink } from './signed-link.ts';

/** Sources of embeds and badges. */
export interface EmbedDeps extends Omit<ContentSource, 'columns'>, Omit<ReaderLinkDeps, 'allowance'> {
  readonly ring: KeyRing;
  readonly reports: Pick<ReportService, 'report'>;
  /** True if the store was read once: before, an empty fleet cache says nothing of the fleet. */
  readonly ready: () => boolean;
  readonly simulated: boolean;
}

/** Answers of the web process about embeds and badges. */
export interface Embeds {
  /** A request under /embed or /badge. */
  show(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Signs links to what is there for a reader of the pages (`by`, as `askerOf` tells them apart), where readers may make them. */
  link(query: LinkQuery, by: string): Promise<WireLink | Refused>;
}

/** Time (ms) for which content made for one reader is good for others: a wiki's front page is opened by many at once. */
const SHARED = 5_000;
/** The same of a figure of a report: all of a period is asked for it, and a minute changes little. */
const SHARED_FIGURE = 60_000;
const KEPT = 64;

interface Made {
  readonly madeAt: number;
  readonly stamp: number;
  readonly content: EmbedContent | Promise<EmbedContent>;
}

/** Makes what answers for embeds and badges: they are opened by signed links only. */
export function embeds(deps: EmbedDeps): Embeds {
  const { ring, links, reports, settings, ready, simulated, clock, fleet } = deps;
  const { frameAncestors, readersSign: mostDays } = settings;
  const source: ContentSource = { ...deps, columns: columnParts(deps.fleetCache) };
  const signing: ReaderLinkDeps = { ...deps, allowance: linkAllowance() };
  const made = new LRUCache<string, Made>({ max: KEPT });

  function make(scope: EmbedScope, now: number): Made['content'] {
    return scope.type === 'figure' ? figureContent(scope, reports) : scopeContent(scope, source, now);
  }

  function isGood({ madeAt, stamp }: Made, scope: EmbedScope, now: number): boolean {
    const age = now - madeAt;
    if (scope.type === 'figure') return age >= 0 && age < SHARED_FIGURE;
    return stamp === fleet.stamp(now) && age >= 0 && age < SHARED;
  }

  function contentOf(scope: EmbedScope, now: number): Made {
    const key = scopeText(scope);
    const found = made.get(key);
    if (found !== undefined && isGood(found, scope, now)) return found;
    const content = make(scope, now);
    const fresh = { madeAt: now, stamp: fleet.stamp(now), content };
    made.set(key, fresh);
    // What cannot be made now is no answer to who asks next.
    if (content instanceof Promise) content.catch(() => made.peek(key) === fresh && made.delete(key));
    return fresh;
  }

  async function show(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const now = clock.now();
    const target = request.url ?? '';
    const link = notRevoked(openLink(target, await ring.current(), now), links);
    setEmbedHeaders(response, link.form, frameAncestors);
    if (link.type === 'refused') return send(request, response, link.form, refusal(link));
    const reading = !ready();
    const { content, madeAt } = reading ? { content: notYet, madeAt: now } : contentOf(link.scope, now);
    const frame: EmbedFrame = { madeAt, theme: link.theme, simulated };
    return send(request, response, link.form, {
      status: reading ? 503 : 200,
      body: drawn(link.form, await content, frame, link.within ? null : target),
    });
  }

  async function link({ scope: text, theme, days }: LinkQuery, by: string): Promise<WireLink | Refused> {
    const scope = parseScope(text);
    if (scope === null) return refuse({ type: 'bad-parameter', name: 'scope', message: `must be ${scopeForms}` });
    if (mostDays === null) return { type: 'not-signed', why: 'off' };
    if (!ready()) return unreadable;
    // A link of what comes later would show it without anybody having looked at it.
    if (!isThere(scope, source))
      return refuse({
        type: 'not-found',
        what: `There is no ${text} now, and links are signed to what is there.`,
        nearest: [],
      });
    const now = clock.now();
    const shown = await contentOf(scope, now).content;
    return readerLink(
      { scope, by, theme, days: Math.min(Number(days), mostDays), mostDays },
      shown,
      await ring.current(),
      signing,
    );
  }

  return { show, link };
}

/** A link that opens, unless it was revoked by its id, or that cannot be said. */
function notRevoked(link: OpenedLink, links: LinkList): OpenedLink | Refusal {
  if (link.type === 'refused' || link.id === null) return link;
  const standing = links.standing(link.id);
  return standing === 'open' ? link : { type: 'refused', form: link.form, why: standing };
}

interface Refusal {
  readonly type: 'refused';
  readonly form: EmbedForm;
  readonly why: Extract<OpenedLink, { type: 'refused' }>['why'] | 'unusable';
}

const notYet = nothingContent(
  'Plumbline',
  '/',
  'That cannot be said yet: Plumbline is reading its record.',
  'cannot be said yet',
);

function drawn(form: EmbedForm, content: EmbedContent, frame: EmbedFrame, target: string | null): string {
  switch (form) {
    case 'badge':
      return badgeSvg(content, frame);
    case 'embed':
      return embedPage(
        content,
        frame,
        target === null ? { by: 'itself' } : { by: 'script', again: `${target}&within=1` },
      );
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The same words whatever there is behind a link: who holds no good one learns nothing. */
function refusal({ form, why }: Refusal): Answer {
  const words = refusals[why];
  return { status: words.status, body: form === 'embed' ? embedRefusal(words.sentence) : badgeRefusal(words.short) };
}

const refusals: Readonly<
  Record<Refusal['why'], { readonly status: number; readonly sentence: string; readonly short: string }>
> = {
  'not-signed': {
    status: 403,
    sentence: 'This link opens nothing: it is not signed, or not as it was signed.',
    short: 'no such link',
  },
  revoked: {
    status: 403,
    sentence: 'This link was withdrawn. Ask whoever looks after Plumbline for another one.',
    short: 'link withdrawn',
  },
  expired: {
    status: 410,
    sentence: 'This link has ended. Ask whoever looks after Plumbline for another one.',
    short: 'link ended',
  },
  unusable: {
    status: 503,
    sentence: 'That cannot be said now: Plumbline cannot read which links were withdrawn.',
    short: 'cannot be said now',
  },
};

function send(request: IncomingMessage, response: ServerResponse, form: EmbedForm, answer: Answer): Promise<void> {
  const type = form === 'embed' ? 'text/html; charset=utf-8' : 'image/svg+xml; charset=utf-8';
  return sendBody(request, response, { ...answer, type, cache: 'no-store' });
}
