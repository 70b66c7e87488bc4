import { fleetApi } from '#lib/api/fleet.ts';
import type { Figure } from '../figure.ts';
import { measureAnswers } from './measure-answers.ts';
import type { BenchWeb } from '../web.ts';

/** The matrix as API and as page, and how soon a web process that starts anew shows everything. */
export async function answerFigures(area: string, web: BenchWeb, asked: number): Promise<readonly Figure[]> {
  const fleet = await measureAnswers(`${web.url}${fleetApi.path}`, asked);
  const page = web.pages ? await measureAnswers(`${web.url}/`, asked) : null;
  const nothing = { p50: Number.NaN, p99: Number.NaN, bytes: Number.NaN };
  return [
    { area, name: 'web started to first correct answer', value: web.correctAfter, unit: 'ms', bar: { most: 2_000 } },
    {
      area,
      name: 'web started to first correct page',
      value: web.pageAfter ?? Number.NaN,
      unit: 'ms',
      bar: { most: 2_000 },
    },
    { area, name: 'matrix data, p50', value: fleet.p50, unit: 'ms', bar: null },
    { area, name: 'matrix data, p99', value: fleet.p99, unit: 'ms', bar: { most: 100 } },
    { area, name: 'matrix data, compressed', value: fleet.bytes, unit: 'bytes', bar: { most: 150_000 } },
    { area, name: 'matrix page, p50', value: (page ?? nothing).p50, unit: 'ms', bar: null },
    { area, name: 'matrix page, p99', value: (page ?? nothing).p99, unit: 'ms', bar: { most: 100 } },
    { area, name: 'matrix page, compressed', value: (page ?? nothing).bytes, unit: 'bytes', bar: { most: 150_000 } },
  ];
}
