import { historyParams, periodFrom, usualHere } from '#components/record/shown-period.ts';
import type { Moment } from '#lib/api/moment.ts';
import { refParams } from '#lib/api/paths.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noRows, tableRows } from '#components/record/shown-period.ts';
import { sent } from '#server/web/sent.ts';
import type { PageMoment, WebRuntime } from '#server/web/web-runtime.ts';

/** Whom a page asks for the record, of when, and its address. */
interface Asking {
  readonly known: PageMoment;
  readonly endpoints: WebRuntime['endpoints'];
  readonly search: Readonly<Record<string, string | string[] | undefined>>;
  readonly moment: Moment | null;
}

const newest = { last: '90d', limit: '5' } as const;

/** Record of a cluster for its page: the timelines of the period in the address, the newest incidents. */
export async function recordOfCluster(asking: Asking, cluster: string) {
  const { known, endpoints } = asking;
  const [history, incidents] = await Promise.all([
    historyHere(asking, { cluster }, noRows),
    sent(known, endpoints.incidents, { cluster, ...newest, ...atOf(asking) }),
  ]);
  return { history, incidents: { params: incidents.params, list: incidents.answer } };
}

/** Record of an object for its page: the timelines of the period in the address, the incidents that it was part of, its newest absences. */
export async function recordOfObject(asking: Asking, ref: ObjectRef) {
  const { known, endpoints } = asking;
  const at = atOf(asking);
  const filter = refParams(ref);
  const [history, memberships, absences] = await Promise.all([
    historyHere(asking, filter, tableRows),
    sent(known, endpoints.memberships, { ...ref, ...at }),
    sent(known, endpoints.absences, { ...filter, ...newest, ...at }),
  ]);
  return {
    history,
    memberships: { params: memberships.params, list: memberships.answer },
    absences: { params: absences.params, list: absences.answer },
  };
}

function atOf({ moment }: Asking): { readonly at?: string } {
  return moment === null ? {} : { at: moment.at };
}

async function historyHere(
  asking: Asking,
  filter: Readonly<Record<string, string>>,
  rows: Readonly<Record<'rows', string>>,
) {
  const { known, endpoints, search } = asking;
  const params = { ...historyParams(filter, periodFrom(search), usualHere, atOf(asking)), ...rows };
  const { answer } = await sent(known, endpoints.history, params);
  return { params, history: answer };
}
