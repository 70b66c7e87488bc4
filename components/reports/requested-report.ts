import { notThereAnswer, type WireNotThere } from '#lib/api/refusals/not-there.ts';
import type { ReportQuery } from '#lib/api/report.ts';

/** The parts of the question that stand in the URL. */
const requestedNames = [
  'period',
  'from',
  'to',
  'cluster',
  'label',
  'group',
  'kind',
] as const satisfies readonly (keyof ReportQuery)[];

/** Report that is asked for, as it stands in the URL: '' for what is not said. What of it cannot be read is told by whoever answers. */
export type Asked = Readonly<Record<(typeof requestedNames)[number], string>>;

/** The parameters of an address. */
export type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Of the parameters that an address names once, those that are known. */
export function singleParams(params: Params, known: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    known.flatMap((name) => {
      const value = params[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** The question in an address, as it was written. */
export function askedFrom(params: Params): Asked {
  const {
    period = '',
    from = '',
    to = '',
    cluster = '',
    label = '',
    group = '',
    kind = '',
  } = singleParams(params, requestedNames);
  return { period, from, to, cluster, label, group, kind };
}

/** The parts that are set, as parameters of the API. */
export function requestedParams(asked: Asked): Record<string, string> {
  return singleParams(asked, requestedNames);
}

/** Why a question has no answer, in a sentence. */
export function refusalText(
  refusal:
    | { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] }
    | {
        readonly type: string;
        readonly name?: string;
        readonly message?: string;
        readonly names?: readonly WireNotThere[];
      },
): string {
  if ('issues' in refusal) {
    const [issue] = refusal.issues;
    return wrongText(String(issue?.path[0] ?? ''), issue?.message ?? 'cannot be read');
  }
  const { name, message = 'cannot be read', names } = refusal;
  if (names !== undefined) return notThereAnswer(names);
  return name === undefined ? message : wrongText(name, message);
}

function wrongText(name: string, message: string): string {
  return `In the address, "${name}" ${message}.`;
}
