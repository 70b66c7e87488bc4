import { httpGet } from '../http-get.ts';
import { quantile } from './quantile.ts';

/** One address asked again and again. ms; bytes as they came, compressed. */
export interface AnswersResult {
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
}

/** Asks an address `times` times, one after the other, as one browser would. */
export async function measureAnswers(url: string, times: number): Promise<AnswersResult> {
  for (let warm = 0; warm < 10; warm += 1) await httpGet(url);
  const took: number[] = [];
  let bytes = 0;
  for (let asked = 0; asked < times; asked += 1) {
    const answer = await httpGet(url);
    if (answer.status !== 200) throw new Error(`${url} answered HTTP ${answer.status}`);
    took.push(answer.took);
    ({ bytes } = answer);
  }
  return { p50: quantile(took, 0.5), p99: quantile(took, 0.99), bytes };
}
