/** The answer to a question, parsed, or why there is none, a sentence. */
export type Asked =
  | { readonly type: 'ok'; readonly body: unknown }
  | { readonly type: 'failed'; readonly reason: string };
