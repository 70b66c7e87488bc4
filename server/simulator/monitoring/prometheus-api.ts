import type { Labels } from '#lib/domain/alarm/fact.ts';
import { second } from '#lib/domain/time/length.ts';
import { goFloat, goTime, json, listed, notFound, plain, unknownParameter } from './answer.ts';
import type { Answer, Asked } from './answer.ts';
import type { PrometheusBoard, RuleAlert, RuleGroup, RuleStanding } from './board.ts';
import { parseGroupQuery, parseSelector } from './selector.ts';
import type { GroupQuery } from './selector.ts';
import { labelsKey, pick, seriesTest } from './series.ts';
import type { Series } from './series.ts';

/** Build of the simulated program, of a release that is in use. */
const build = {
  version: '3.5.0',
  revision: '8be3a9560fbdd18a94dedec4b747c35178177202',
  branch: 'HEAD',
  buildUser: 'root@simulated',
  buildDate: '20250714-16:15:23',
  goVersion: 'go1.24.5',
};

/** Time that each evaluation takes, in seconds. */
const evaluationTime = 0.001297;
const truncated = 'results truncated due to limit';

function badData(error: string): Answer {
  return json({ status: 'error', errorType: 'bad_data', error }, 400);
}

function alertText({ labels, annotations, state, activeAt, value }: RuleAlert): string {
  return JSON.stringify({ labels, annotations, state, activeAt: goTime(activeAt), value: goFloat(value) });
}

function stateOf(standing: RuleStanding): string {
  let state = 'inactive';
  for (const alert of standing.alerts()) {
    if (alert.state === 'firing') return 'firing';
    state = 'pending';
  }
  return state;
}

function* ruleText(standing: RuleStanding): Generator<string> {
  const { rule, health, error, evaluatedAt } = standing;
  const { name, query, holds, labels, annotations } = rule;
  const head = {
    state: stateOf(standing),
    name,
    query,
    duration: holds / second,
    keepFiringFor: 0,
    labels,
    annotations,
  };
  const tail = { health, ...(error === null ? {} : { lastError: error }), evaluationTime };
  yield `${JSON.stringify(head).slice(0, -1)},"alerts":[`;
  let isFirst = true;
  for (const alert of standing.alerts()) {
    yield isFirst ? alertText(alert) : `,${alertText(alert)}`;
    isFirst = false;
  }
  yield `],${JSON.stringify({ ...tail, lastEvaluation: goTime(evaluatedAt), type: 'alerting' }).slice(1)}`;
}

function* groupText({ name, file, interval, rules }: RuleGroup, more: boolean): Generator<string> {
  yield `${JSON.stringify({ name, file }).slice(0, -1)},"rules":[`;
  for (const [index, standing] of rules.entries()) {
    if (index > 0) yield ',';
    yield* ruleText(standing);
  }
  const evaluatedAt = Math.max(0, ...rules.map((one) => one.evaluatedAt));
  const tail = { interval: interval / second, limit: 0, evaluationTime, lastEvaluation: goTime(evaluatedAt) };
  yield `],${JSON.stringify(tail).slice(1)}${more ? ',' : ''}`;
}

function* rulesText(groups: readonly RuleGroup[]): Generator<string> {
  yield '{"status":"success","data":{"groups":[';
  for (const [index, group] of groups.entries()) yield* groupText(group, index < groups.length - 1);
  yield ']}}';
}

function rules({ groups }: PrometheusBoard, { params }: Asked): Answer {
  const type = params.get('type');
  if (type !== null && type !== '' && type !== 'alert' && type !== 'record')
    return badData(`invalid parameter "type": not supported value "${type}"`);
  // There are no recording rules.
  return { status: 200, type: 'application/json', body: rulesText(type === 'record' ? [] : groups()) };
}

/** The limit of a request: 0 for none, null where it is no number. */
function limitOf(params: URLSearchParams): number | null {
  const text = params.get('limit') ?? '0';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** At most so many elements, and a text that says so behind them if there were more. */
function* limited<T extends object>(
  head: string,
  elements: Iterable<T>,
  tail: string,
  limit: number,
): Generator<string> {
  let isCut = false;
  function* first(): Generator<T> {
    let count = 0;
    for (const element of elements) {
      if (limit > 0 && count++ === limit) {
        isCut = true;
        return;
      }
      yield element;
    }
  }
  yield* listed(head, first(), '');
  yield isCut ? `${tail},"warnings":["${truncated}"]}` : `${tail}}`;
}

function* groupsIn(series: Iterable<Series>, { by, matchers }: GroupQuery): Generator<Labels> {
  const isMatch = seriesTest(matchers);
  const seen = new Set<string>();
  for (const one of series) {
    if (!isMatch(one)) continue;
    const labels = pick({ ...one.labels, __name__: one.metric }, by);
    const key = labelsKey(labels);
    if (seen.has(key)) continue;
    seen.add(key);
    yield labels;
  }
}

function* vector(groups: Iterable<Labels>, now: number): Generator<object> {
  for (const metric of groups) yield { metric, value: [now / second, '1'] };
}

function query({ series }: PrometheusBoard, { params }: Asked, now: number): Answer {
  const limit = limitOf(params);
  if (limit === null) return badData('invalid parameter "limit": limit must be non-negative');
  const parsed = parseGroupQuery(params.get('query') ?? '');
  if ('error' in parsed) return badData(`invalid parameter "query": ${parsed.error}`);
  const elements = vector(groupsIn(series(), parsed.value), now);
  const head = '{"status":"success","data":{"resultType":"vector","result":[';
  return { status: 200, type: 'application/json', body: limited(head, elements, ']}', limit) };
}

function* named(all: Iterable<Series>, tests: readonly ((series: Series) => boolean)[]): Generator<object> {
  for (const series of all)
    if (tests.some((isMatch) => isMatch(series))) yield { __name__: series.metric, ...series.labels };
}

function seriesList({ series }: PrometheusBoard, { params }: Asked): Answer {
  const limit = limitOf(params);
  if (limit === null) return badData('invalid parameter "limit": limit must be non-negative');
  const texts = params.getAll('match[]');
  if (texts.length === 0) return badData('no match[] parameter provided');
  const tests: ((series: Series) => boolean)[] = [];
  for (const text of texts) {
    const parsed = parseSelector(text);
    if ('error' in parsed) return badData(`invalid parameter "match[]": ${parsed.error}`);
    tests.push(seriesTest(parsed.value));
  }
  const elements = named(series(), tests);
  return { status: 200, type: 'application/json', body: limited('{"status":"success","data":[', elements, ']', limit) };
}

/** Parameters of each path that are known. Nothing takes as long as a `timeout`. */
const known: { readonly [path: string]: readonly string[] } = {
  '/api/v1/rules': ['type'],
  '/api/v1/query': ['query', 'limit', 'timeout'],
  '/api/v1/series': ['match[]', 'limit'],
};

/** Answer of a Prometheus at `now` (ms). */
export function answerOfPrometheus(board: PrometheusBoard, asked: Asked, now: number): Answer {
  const unknown = unknownParameter(asked, known[asked.path] ?? []);
  if (unknown !== null) return badData(`invalid parameter "${unknown}": the simulator does not know it`);
  switch (asked.path) {
    case '/api/v1/rules':
      return rules(board, asked);
    case '/api/v1/query':
      return query(board, asked, now);
    case '/api/v1/series':
      return seriesList(board, asked);
    case '/api/v1/status/buildinfo':
      return json({ status: 'success', data: build });
    case '/-/ready':
      return plain(200, 'Prometheus Server is Ready.\n');
    default:
      return notFound;
  }
}
