import { z } from 'zod';

/** The shape of a query without parameters. */
export const NoQuery = z.object({});

/**
 * One GET of the REST API: all that server, browser and OpenAPI document must agree on. `At`: it can be asked of a past moment by the
 * parameter `at`, which is not part of `query`.
 */
export interface Endpoint<
  Query extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
  At extends boolean = boolean,
> {
  /** "/api/v1/clusters/{name}": a parameter of the query in braces is a part of the path. */
  readonly path: string;
  readonly summary: string;
  readonly query: Query;
  readonly answer: Answer;
  /** The name of the answer in the OpenAPI document. */
  readonly name: string;
  readonly at: At;
  /** The media type of the answer where it is not JSON. */
  readonly type?: string;
  /** A header without which it answers nothing: no link, and no page of another site, can send one of our own. */
  readonly header?: { readonly name: string; readonly value: string };
}

/** Gives a description as it is, with its types inferred. */
export function endpoint<Query extends z.ZodObject, Answer extends z.ZodType, At extends boolean>(
  described: Endpoint<Query, Answer, At>,
): Endpoint<Query, Answer, At> {
  return described;
}

const inBraces = /\{(\w+)\}/g;

/** The parameters of an endpoint that are parts of its path. */
export function namesInPath({ path }: Pick<Endpoint, 'path'>): readonly string[] {
  return [...path.matchAll(inBraces)].map(([, name = '']) => name);
}

/** The address that asks an endpoint with these parameters. */
export function addressOf(of: Pick<Endpoint, 'path'>, params: Readonly<Record<string, string>> = {}): string {
  const inPath = namesInPath(of);
  const path = of.path.replaceAll(inBraces, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const rest = Object.entries(params).filter(([name]) => !inPath.includes(name));
  const query = new URLSearchParams(rest).toString();
  return query === '' ? path : `${path}?${query}`;
}
