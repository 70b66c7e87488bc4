import type { Moment, NoMoment } from '#lib/api/moment.ts';
import { momentText, parseMoment } from '#lib/format/moment.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import type { PageMoment, WebRuntime } from '../web-runtime.ts';

/** The moment that a page's address names: whom to ask of it, and what the page's summary shows (null for now). */
export type RequestedMoment =
  | { readonly type: 'known'; readonly known: PageMoment; readonly moment: Moment | null }
  | { readonly type: 'none'; readonly why: NoMoment };

/** Reads `at` of a page's address. `scope`: what the page shows, whose changes the steps lead to. */
export async function requestedMoment(
  runtime: WebRuntime,
  asked: string | readonly string[] | undefined,
  scope: RecordScope,
): Promise<RequestedMoment> {
  const [text = ''] = [asked].flat();
  if (text === '') return { type: 'known', known: runtime, moment: null };
  const at = parseMoment(text);
  if (at === null) return { type: 'none', why: { type: 'no-time', text } };
  const past = await runtime.past(at);
  switch (past.type) {
    case 'future':
      return { type: 'none', why: { type: 'future', at: momentText(at) } };
    case 'before-record':
      return { type: 'none', why: { type: 'before-record', at: momentText(at), since: textOrNull(past.since) } };
    case 'unreadable':
      return { type: 'none', why: { type: 'unreadable', at: momentText(at) } };
    case 'past': {
      const { before, after } = await past.beside(scope);
      const moment = { at: momentText(at), previous: textOrNull(before), next: textOrNull(after) };
      return { type: 'known', known: past.moment, moment };
    }
  }
}

function textOrNull(time: number | null): string | null {
  return time === null ? null : momentText(time);
}
