/** Number judged so far: what is said is judged only where somebody reads it. */
export interface Judged {
  sentences: number;
  commits: number;
  times: number;
  numbers: number;
}

/** Nothing yet. */
export function nothingJudged(): Judged {
  return { sentences: 0, commits: 0, times: 0, numbers: 0 };
}
