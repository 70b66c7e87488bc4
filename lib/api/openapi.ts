import { z } from 'zod';
import { ChangesQuery, WireChangeList } from './change.ts';
import { ClusterScope, WireClusterList, WireClusterPage } from './cluster.ts';
import { ConflictFilter, WireConflictList } from './conflict.ts';
import { CorrectionFilter, WireCorrectionList } from './correction.ts';
import { LinkQuery, WireLink } from './embed.ts';
import { ExemptionFilter, WireExemptionList } from './exemption.ts';
import { WireFleet } from './fleet.ts';
import { HistoryQuery, WireHistory } from './history.ts';
import { IncidentFilter, WireIncidentList } from './incident.ts';
import { ObjectFilter } from './object-filter.ts';
import { WireNeighbours, WireObjectList, WireObjectPage } from './object.ts';
import { AtParameter } from './moment.ts';
import { nameParameters } from './not-there.ts';
import { api } from './paths.ts';
import { WireProblem } from './problem.ts';
import { ArrivalsQuery, ReportFileQuery, SpansQuery, WireArrivalList, WireReport, WireSpanList } from './report.ts';
import { FleetQuery, NoQuery, ObjectQuery, StreamQueries } from './request.ts';
import { StreamFrame } from './stream.ts';
import { TransitionsQuery, WireTransitionList } from './transition.ts';

type Json = { readonly [key: string]: unknown };

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function parameters(query: z.ZodObject): Json[] {
  const required = new Set(requiredOf(query));
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(z.object({ value: schema }), 'input');
    const described = propertyOf(rest, description);
    return { name, in: 'query', required: required.has(name), ...described };
  });
}

function requiredOf(query: z.ZodObject): string[] {
  return Object.entries(query.shape)
    .filter(([, schema]) => !z.safeParse(z.object({ value: schema }), {}).success)
    .map(([name]) => name);
}

function propertyOf(wrapped: Json, description: unknown): Json {
  const properties = wrapped['properties'];
  const value: unknown =
    typeof properties === 'object' && properties !== null && 'value' in properties ? properties.value : {};
  const own: Json = typeof value === 'object' && value !== null ? { ...value } : {};
  const { description: said = description, ...schema } = own;
  return said === undefined ? { schema } : { description: said, schema };
}

interface Operation {
  readonly summary: string;
  readonly query: z.ZodObject;
  readonly path?: readonly string[];
  readonly answer: string;
  readonly type?: string;
  /** Whether it can be asked of a past moment. */
  readonly at?: boolean;
}

function operation({ summary, query, path = [], answer, type = 'application/json', at = false }: Operation): Json {
  const inPath = path.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const named = nameParameters.some((name) => name in query.shape);
  const missing = notFoundWords(named || path.length > 0, at);
  const problem = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
  return {
    get: {
      summary,
      parameters: [...inPath, ...parameters(at ? query.extend({ at: AtParameter }) : query)],
      responses: {
        200: { description: summary, content: { [type]: { schema: { $ref: `#/components/schemas/${answer}` } } } },
        400: { description: 'A parameter is unknown or not valid', ...problem },
        ...(missing === '' ? {} : { 404: { description: missing, ...problem } }),
        default: { description: 'Any other refusal; its `type` and `status` say which', ...problem },
      },
    },
  };
}

/** Of what may not be there: names that are asked for, the moment; '' where nothing of the kind is asked. */
function notFoundWords(named: boolean, at: boolean): string {
  const none = 'Nothing has a name that was asked for: `notThere` or `nearest` gives the nearest names';
  const unrecorded = 'Nothing is recorded of the moment that `at` names; `since` says from when on';
  return [...(named ? [none] : []), ...(at ? [unrecorded] : [])].join('. Or: ');
}

/** All parameters that any topic of the stream takes; `topic` says which of them count. */
function streamQuery(): z.ZodObject {
  const { topic: _one, ...view } = StreamQueries.fleet.shape;
  const { topic: _two, ...object } = StreamQueries.object.shape;
  const named = z.object(object).partial().shape;
  return z.object({ topic: z.enum(['head', 'fleet', 'cluster', 'object']), ...named, ...view });
}

/** The OpenAPI 3.1 document of the REST API, made from the schemas that check and type it. */
export function openApi(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version: '1',
      description:
        'Read-only. Every answer is as known at its `asOf`, now or at the moment that `at` names: a verdict whose proof has run out comes as stale or unobserved. Times are RFC 3339 in UTC. Other methods than GET and HEAD are refused.',
    },
    paths: {
      [api.clusters]: operation({ summary: 'All clusters', query: NoQuery, answer: 'ClusterList', at: true }),
      [`${api.clusters}/{name}`]: operation({
        summary: 'One cluster with its objects',
        query: ClusterScope,
        path: ['name'],
        answer: 'ClusterPage',
        at: true,
      }),
      [api.objects]: operation({
        summary: 'Objects, filtered, worst first',
        query: ObjectFilter,
        answer: 'ObjectList',
        at: true,
      }),
      [api.exemptions]: operation({
        summary: 'What weakens the guarantee, by kind; a page as JSON or all of it as CSV',
        query: ExemptionFilter,
        answer: 'ExemptionList',
      }),
      [api.conflicts]: operation({
        summary: 'Resources with more than one manager; a page as JSON or all of them as CSV',
        query: ConflictFilter,
        answer: 'ConflictList',
      }),
      [api.object]: operation({
        summary: 'One object with everything known of it',
        query: ObjectQuery,
        answer: 'ObjectPage',
        at: true,
      }),
      [api.neighbours]: operation({
        summary: 'The deviations next to an object, worst first',
        query: ObjectQuery,
        answer: 'Neighbours',
        at: true,
      }),
      [api.changes]: operation({
        summary: 'What was changed on clusters, newest first',
        query: ChangesQuery,
        answer: 'ChangeList',
      }),
      [api.transitions]: operation({
        summary: 'Changes of verdict by when they were noticed, newest first',
        query: TransitionsQuery,
        answer: 'TransitionList',
      }),
      [api.history]: operation({
        summary:
          'Timelines of one object, of the kinds or objects of a cluster, or one lane per cluster; a page as JSON or every row as CSV',
        query: HistoryQuery,
        answer: 'History',
        at: true,
      }),
      [api.incidents]: operation({
        summary: 'What left converged until it was converged again; a page as JSON or all of them as CSV',
        query: IncidentFilter,
        answer: 'IncidentList',
        at: true,
      }),
      [api.corrections]: operation({
        summary: 'Drift that was found and undone; a page as JSON or all of it as CSV',
        query: CorrectionFilter,
        answer: 'CorrectionList',
        at: true,
      }),
      [api.report]: operation({
        summary: 'The report over a period; as JSON, or as a file: CSV, Markdown, HTML',
        query: ReportFileQuery,
        answer: 'Report',
      }),
      [api.spans]: operation({
        summary: 'What the object time of a report is made of, newest first',
        query: SpansQuery,
        answer: 'SpanList',
      }),
      [api.arrivals]: operation({
        summary: 'Commits that arrived on clusters in a period, newest first',
        query: ArrivalsQuery,
        answer: 'ArrivalList',
      }),
      [api.fleet]: operation({ summary: 'The matrix', query: FleetQuery, answer: 'Fleet', at: true }),
      [api.link]: operation({
        summary: 'Signed links to an embed and a badge of a scope, for whoever may see the pages',
        query: LinkQuery,
        answer: 'Link',
      }),
      [api.stream]: operation({
        summary: 'Changes as Server-Sent Events; the data of an event is a StreamFrame; resumable by Last-Event-ID',
        query: streamQuery(),
        answer: 'StreamFrame',
        type: 'text/event-stream',
      }),
    },
    components: {
      schemas: {
        ClusterList: schemaOf(WireClusterList, 'output'),
        ClusterPage: schemaOf(WireClusterPage, 'output'),
        ObjectList: schemaOf(WireObjectList, 'output'),
        ExemptionList: schemaOf(WireExemptionList, 'output'),
        ConflictList: schemaOf(WireConflictList, 'output'),
        ObjectPage: schemaOf(WireObjectPage, 'output'),
        History: schemaOf(WireHistory, 'output'),
        IncidentList: schemaOf(WireIncidentList, 'output'),
        CorrectionList: schemaOf(WireCorrectionList, 'output'),
        Neighbours: schemaOf(WireNeighbours, 'output'),
        ChangeList: schemaOf(WireChangeList, 'output'),
        TransitionList: schemaOf(WireTransitionList, 'output'),
        Report: schemaOf(WireReport, 'output'),
        SpanList: schemaOf(WireSpanList, 'output'),
        ArrivalList: schemaOf(WireArrivalList, 'output'),
        Fleet: schemaOf(WireFleet, 'output'),
        Link: schemaOf(WireLink, 'output'),
        StreamFrame: schemaOf(StreamFrame, 'output'),
        Problem: schemaOf(WireProblem, 'output'),
      },
    },
  };
}
