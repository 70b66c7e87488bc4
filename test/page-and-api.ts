import { objectsApi } from '#lib/api/object-filter.ts';
import { fleetApi, WireFleet } from '#lib/api/fleet.ts';
import { historyApi, WireHistory } from '#lib/api/history.ts';
import { absencesApi, WireAbsenceList } from '#lib/api/absence.ts';
import { incidentApi, incidentsApi, WireIncidentList, WireIncidentPage } from '#lib/api/incident.ts';
import { objectApi, WireObjectList, WireObjectPage, type WireRef } from '#lib/api/object.ts';
import { incidentPath, listPath, objectPath } from '#lib/api/paths.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { formatTime } from '#lib/format/time.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';

/** Words of an answer of the API that its page must say too. */
interface Expectation {
  readonly words: readonly string[];
  /** RFC 3339, as they stand in the page's `<time>`. */
  readonly times: readonly string[];
  /** Number of rows of the page's table of this class; null where it has none. */
  readonly table: { readonly name: string; readonly rows: number } | null;
}

/** A page and the answer of the API to the same question. */
export interface PageAndApi {
  readonly page: string;
  readonly api: string;
  readonly expected: (answer: unknown) => Expectation;
}

/** Words that the page does not say; null where the answer of the API changed each time while the page was being fetched. */
type Missing = readonly string[] | null;

type Query = Readonly<Record<string, string>>;

/** Number of times a pair is fetched anew because something changed meanwhile. */
const tries = 20;

/** Fetches the API, the page, and the API once more: where both answers say the same, the page must say it too. */
export async function missingInPage(origin: string, pair: PageAndApi): Promise<Missing> {
  for (let round = 0; round < tries; round += 1) {
    const before = pair.expected(await (await get(`${origin}${pair.api}`)).json());
    const html = await (await get(`${origin}${pair.page}`)).text();
    const after = pair.expected(await (await get(`${origin}${pair.api}`)).json());
    if (JSON.stringify(before) === JSON.stringify(after)) return missingIn(html, before);
  }
  return null;
}

async function get(url: string): Promise<Response> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(15_000) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer;
}

function missingIn(html: string, { words, times, table }: Expectation): readonly string[] {
  const shown = html.replaceAll(/<(script|style)\b.*?<\/\1>/gs, '');
  const text = textOf(shown);
  const stamps = new Set([...shown.matchAll(/datetime="([^"]+)"/gi)].map(([, time]) => time));
  const missing = [...words.filter((word) => !says(text, word)), ...times.filter((time) => !stamps.has(time))];
  if (table === null) return missing;
  const rows = rowsOf(shown, table.name);
  return rows === table.rows ? missing : [...missing, `${table.rows} rows of ${table.name}, but ${rows}`];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", nbsp: ' ' };

function textOf(html: string): string {
  return flat(
    html
      .replaceAll(/<!--.*?-->|<[^>]*>/gs, '')
      .replaceAll(/&(#x27|[a-z]+);/g, (whole, name: string) => entities[name] ?? whole),
  );
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A number counts only whole: "Diverged 1" is not in "Diverged 12", nor "2 stale" in "12 stale". */
function says(text: string, word: string): boolean {
  const whole = (before: string, after: string): boolean =>
    !(/^\d/.test(word) && /\d,?$/.test(before)) && !(/\d$/.test(word) && /^,?\d/.test(after));
  return text.split(flat(word)).some((after, at, parts) => at > 0 && whole(parts[at - 1] ?? '', after));
}

function rowsOf(html: string, name: string): number {
  const table = new RegExp(`<table[^>]*class="[^"]*\\b${name}\\b.*?</table>`, 's').exec(html)?.[0] ?? '';
  return (/<tbody.*<\/tbody>/s.exec(table)?.[0].match(/<tr\b/g) ?? []).length;
}

function asked(path: string, query: Query): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The fleet: its sentence, the counts of all verdicts, its causes, and what it is filtered by. */
export function fleetPair(query: Query = {}): PageAndApi {
  return {
    page: asked('/', query),
    api: asked(fleetApi.path, query),
    expected(answer) {
      const { guarantee, counts, causes, filter } = WireFleet.parse(answer).summary;
      const words = [
        `${guarantee.lead} ${guarantee.body}`,
        ...verdicts.map((verdict) => `${verdictLabel(verdict)} ${formatCount(counts[verdict] ?? 0)}`),
        ...causes.map(({ title, text }) => `${title} ${text}, `),
        ...(filter === null ? [] : [filter.text, filter.outside]),
      ];
      return { words: words.filter((word) => word !== ''), times: [], table: null };
    },
  };
}

/** The list of objects: how many, and how many of each verdict that is not good. */
export function objectsPair(query: Query): PageAndApi {
  return {
    page: listPath(query),
    api: asked(objectsApi.path, query),
    expected(answer) {
      const { total, counts } = WireObjectList.parse(answer);
      const bad = verdicts.filter((verdict) => verdict !== 'converged' && verdict !== 'suspended');
      const named = bad.filter((verdict) => (counts[verdict] ?? 0) > 0);
      return {
        words: [countOf(total, 'object'), ...named.map((verdict) => `${formatCount(counts[verdict] ?? 0)} ${verdict}`)],
        times: [],
        table: null,
      };
    },
  };
}

/** One object: its verdict, its sentence, since when, and between which commits it broke. */
export function objectPair(ref: WireRef): PageAndApi {
  const { cluster, group, kind, namespace, name } = ref;
  return {
    page: objectPath(ref),
    api: asked(objectApi.path, { cluster, group, kind, namespace, name }),
    expected(answer) {
      const { verdict, sentence, range, onset, awaySince } = WireObjectPage.parse(answer).object;
      const away = awaySince !== null && awaySince.time < onset.time ? [awaySince.time] : [];
      return {
        words: [verdictLabel(verdict), sentence, ...(range === null ? [] : [`It ${range.text}.`])],
        times: [onset.time, ...away],
        table: null,
      };
    },
  };
}

/** Absences of a period: how many began, ended and last, their median, and a row with its beginning for each. */
export function absencesPair(query: Query): PageAndApi {
  return {
    page: asked('/absences', query),
    api: asked(absencesApi.path, query),
    expected(answer) {
      const { figures, rows } = WireAbsenceList.parse(answer);
      const { opened, openAtStart, gone, open, medianToConverge } = figures;
      const none = openAtStart === 0 ? 'No object was seen to leave git' : 'No more objects left git';
      const left = opened === 1 ? 'Once an object left git' : `${formatCount(opened)} times an object left git`;
      const was = (count: number): string => `; ${formatCount(count)} ${count === 1 ? 'was' : 'were'}`;
      return {
        words: [
          opened === 0 ? none : left,
          ...(gone === 0 ? [] : [`${was(gone)} removed, or`]),
          ...(open === 0 ? [] : [`${was(open)} still away at the end`]),
          ...(medianToConverge === null ? [] : [`${formatDuration(medianToConverge)}.`]),
        ],
        times: rows.map(({ openedAt }) => openedAt),
        table: { name: 'absences', rows: rows.length },
      };
    },
  };
}

/** Incidents of a period: how many are ongoing, what accounts for all of them, and a line with its cause and beginning for each. */
export function incidentsPair(query: Query): PageAndApi {
  return {
    page: asked('/incidents', query),
    api: asked(incidentsApi.path, query),
    expected(answer) {
      const { figures, rows } = WireIncidentList.parse(answer);
      const { opened = 0, openAtStart = 0, open = 0, members = 0, medianToConverge = null } = figures ?? {};
      const known = opened + openAtStart > 0;
      return {
        words: [
          ...(known ? [] : ['No incident is known in this period.']),
          ...(known && open > 0 ? [`${countOf(open, 'incident')} ${open === 1 ? 'is' : 'are'} ongoing.`] : []),
          ...(known
            ? [`Began${formatCount(opened)}${countOf(members, 'member')}`, `Ongoing+${formatCount(open)}as`]
            : []),
          ...(medianToConverge === null ? [] : [formatDuration(medianToConverge)]),
          ...rows.map(({ worst }) => verdictLabel(worst)),
          ...rows.map(({ title }) => title),
        ],
        times: rows.map(({ openedAt }) => openedAt),
        table: { name: 'incidents', rows: rows.length },
      };
    },
  };
}

/** One incident: its cause, its reach, and each of its members with its time in it. */
export function incidentPair(id: string): PageAndApi {
  return {
    page: incidentPath(id),
    api: asked(incidentApi.path.replace('{id}', id), {}),
    expected(answer) {
      const { incident, members, steps } = WireIncidentPage.parse(answer);
      return {
        words: [
          incident.title,
          verdictLabel(incident.worst),
          countOf(incident.most.objects, 'object'),
          countOf(incident.members, 'member'),
          ...members.flatMap(({ ref }) => (ref === null ? [] : [ref.name])),
        ],
        times: [incident.openedAt, ...members.map(({ from }) => from), ...steps.slice(0, 1).map(({ at }) => at)],
        table: { name: 'members', rows: members.length },
      };
    },
  };
}

/** Timelines of a period as a table: each lane, and each of its states with its beginning. */
export function historyPair(query: Query): PageAndApi {
  return {
    page: asked('/history', { ...query, table: '1' }),
    api: asked(historyApi.path, { ...query, rows: '200' }),
    expected(answer) {
      const { from, lanes, earlier } = WireHistory.parse(answer);
      const rows = lanes.flatMap((lane) => lane.rows);
      const began = rows.filter((row) => row.from > from).map((row) => Date.parse(row.from));
      return {
        words: [...lanes.map(({ title }) => title), ...began.map((at) => formatTime(at, at))],
        times: [],
        table: { name: 'time-table', rows: rows.length + earlier.length },
      };
    },
  };
}
