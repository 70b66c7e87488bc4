import { z } from 'zod';
import { namesInPath, type Endpoint } from './endpoint.ts';
import { AtParameter } from './moment.ts';
import { nameParameters } from './refusals/not-there.ts';
import { WireProblem } from './refusals/problem.ts';

type Json = { readonly [key: string]: unknown };

/** The OpenAPI 3.1 document of these endpoints, made from the schemas that check and type them. */
export function openApi(endpoints: readonly Endpoint[]): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version: '1',
      description:
        'Read-only. Every answer is as known at its `asOf`, now or at the moment that `at` names: a verdict whose proof has run out comes as stale or unobserved. Times are RFC 3339 in UTC. Other methods than GET and HEAD are refused.',
    },
    paths: Object.fromEntries(endpoints.map((each) => [each.path, operation(each)])),
    components: {
      schemas: {
        ...Object.fromEntries(endpoints.map(({ name, answer }) => [name, schemaOf(answer, 'output')])),
        Problem: schemaOf(WireProblem, 'output'),
      },
    },
  };
}

function operation(of: Endpoint): Json {
  const { summary, query, name, at, type = 'application/json', header } = of;
  const path = namesInPath(of);
  const named = path.length > 0 || nameParameters.some((parameter) => parameter in query.shape);
  const missing = notFoundWords(named, at);
  const problem = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
  return {
    get: {
      summary,
      parameters: [
        ...path.map((each) => ({ name: each, in: 'path', required: true, schema: { type: 'string' } })),
        ...parameters(at ? query.extend({ at: AtParameter }) : query, path),
        ...anyOther(query),
        ...(header === undefined
          ? []
          : [{ name: header.name, in: 'header', required: true, schema: { type: 'string', const: header.value } }]),
      ],
      responses: {
        200: { description: summary, content: { [type]: { schema: { $ref: `#/components/schemas/${name}` } } } },
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

/** The parameters of the query string: all but those that are parts of the path. */
function parameters({ shape }: z.ZodObject, inPath: readonly string[]): Json[] {
  return Object.entries(shape)
    .filter(([name]) => !inPath.includes(name))
    .map(([name, schema]) => {
      const wrapped = z.object({ value: schema });
      const { description, ...rest } = schemaOf(wrapped, 'input');
      return { name, in: 'query', required: !z.safeParse(wrapped, {}).success, ...propertyOf(rest, description) };
    });
}

/** Parameters of any other name, where a query takes them. */
function anyOther({ def }: z.ZodObject): Json[] {
  const { catchall } = def;
  if (catchall === undefined) return [];
  const { description = 'any other', ...schema } = schemaOf(catchall, 'input');
  const any = { type: 'object', additionalProperties: schema };
  return [{ name: 'others', in: 'query', required: false, style: 'form', explode: true, description, schema: any }];
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function propertyOf(wrapped: Json, description: unknown): Json {
  const properties = wrapped['properties'];
  const value: unknown =
    typeof properties === 'object' && properties !== null && 'value' in properties ? properties.value : {};
  const own: Json = typeof value === 'object' && value !== null ? { ...value } : {};
  const { description: said = description, ...schema } = own;
  return said === undefined ? { schema } : { description: said, schema };
}
