import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { LinkQuery, WireLink } from '#lib/api/embed.ts';
import type { EmbedForm, EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { parseScope, scopeForms, scopeText } from '#lib/domain/matrix/embed-scope.ts';
import { badgeRefusal, badgeSvg } from '#lib/draw/embed/badge.ts';
import type { EmbedContent, EmbedFrame } from '#lib/draw/embed/embed-content.ts';
import { embedPage, embedRefusal } from '#lib/draw/embed/embed-page.ts';
import { day } from '#lib/domain/time/length.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { refuse, type Refused } from '../http/problem.ts';
import { sendBody } from '../http/send.ts';
import type { ReportService } from '../report/report-service.ts';
import { wireTime } from '../wire/wire-time.ts';
import { columnParts } from './column-parts.ts';
import { nothingContent } from './content-words.ts';
import { setEmbedHeaders } from './embed-headers.ts';
import { signingKey, type KeyRing, type RingState } from './key-file.ts';
import { figureContent } from './figure-content.ts';
import type { ContentSource } from './scope-content.ts';
import { scopeContent } from './scope-content.ts';
import type { LinkOrder, OpenedLink } from './signed-link.ts';
import { openLink, signedLink } from './signed-link.ts';

/** Sources of embeds and badges. */
export interface EmbedDeps extends Omit<ContentSource, 'columns'> {
  readonly ring: KeyRing;
  readonly reports: Pick<ReportService, 'report'>;
  readonly frameAncestors: readonly string[];
  /** True if the store was read once: before, an empty fleet cache says nothing of the fleet. */
  readonly ready: () => boolean;
  readonly simulated: boolean;
  readonly clock: Clock;
}

/** Answers of the web process about embeds and badges. */
export interface Embeds {
  /** A request under /embed or /badge. */
  show(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Signs links for whoever may see the pages. */
  link(query: LinkQuery): Promise<WireLink | Refused>;
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
  const { ring, reports, frameAncestors, ready, simulated, clock, fleet } = deps;
  const source: ContentSource = { ...deps, columns: columnParts(deps.fleetCache) };
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
    const fresh = { madeAt: now, stamp: fleet.stamp(now), content: make(scope, now) };
    made.set(key, fresh);
    return fresh;
  }

  async function show(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const now = clock.now();
    const target = request.url ?? '';
    const link = openLink(target, await ring.current(), now);
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

  async function link({ scope: text, theme, days }: LinkQuery): Promise<WireLink | Refused> {
    const scope = parseScope(text);
    if (scope === null) return refuse({ type: 'bad-parameter', name: 'scope', message: `must be ${scopeForms}` });
    const now = clock.now();
    const order = { scope, theme, expires: now + Number(days) * day };
    const { title, href: page } = await contentOf(scope, now).content;
    return wireLink(order, await ring.current(), { title, page, frameAncestors });
  }

  return { show, link };
}

/** Links of an order, signed with what the ring has; `rest` says what they show and who may frame it. */
function wireLink(
  order: Omit<LinkOrder, 'form'>,
  state: RingState,
  rest: { readonly title: string; readonly page: string; readonly frameAncestors: readonly string[] },
): WireLink {
  if (state.type !== 'keys')
    return { type: 'not-signed', why: state.type === 'unusable' ? state.why : 'not-configured' };
  const key = signingKey(state.keys);
  if (key === null) return { type: 'not-signed', why: 'all-revoked' };
  return {
    type: 'signed',
    scope: scopeText(order.scope),
    embed: signedLink({ ...order, form: 'embed' }, key),
    badge: signedLink({ ...order, form: 'badge' }, key),
    expires: wireTime(order.expires),
    key: key.id,
    ...rest,
    frameAncestors: [...rest.frameAncestors],
  };
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
function refusal({ form, why }: Extract<OpenedLink, { type: 'refused' }>): Answer {
  const words = refusals[why];
  return { status: words.status, body: form === 'embed' ? embedRefusal(words.sentence) : badgeRefusal(words.short) };
}

const refusals: Readonly<
  Record<
    Extract<OpenedLink, { type: 'refused' }>['why'],
    { readonly status: number; readonly sentence: string; readonly short: string }
  >
> = {
  'not-signed': {
    status: 403,
    sentence: 'This link opens nothing: it is not signed, or not as it was signed.',
    short: 'no such link',
  },
  revoked: {
    status: 410,
    sentence: 'This link was withdrawn. Ask whoever looks after Plumbline for another one.',
    short: 'link withdrawn',
  },
  expired: {
    status: 410,
    sentence: 'This link has ended. Ask whoever looks after Plumbline for another one.',
    short: 'link ended',
  },
};

function send(request: IncomingMessage, response: ServerResponse, form: EmbedForm, answer: Answer): Promise<void> {
  const type = form === 'embed' ? 'text/html; charset=utf-8' : 'image/svg+xml; charset=utf-8';
  return sendBody(request, response, { ...answer, type, cache: 'no-store' });
}
