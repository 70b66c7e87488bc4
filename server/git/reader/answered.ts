/** An answer of one repository, or a sentence that says why there is none. */
export type Answered<Answer> =
  | { readonly type: 'told'; readonly answer: Answer }
  | { readonly type: 'not-told'; readonly reason: string };

/** An answer. */
export function told<Answer>(answer: Answer): { readonly type: 'told'; readonly answer: Answer } {
  return { type: 'told', answer };
}

/** No answer, and why, for people. */
export function notTold(reason: string): { readonly type: 'not-told'; readonly reason: string } {
  return { type: 'not-told', reason };
}
