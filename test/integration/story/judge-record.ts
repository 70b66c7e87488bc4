import type { z } from 'zod';
import { isTrueThen, wrongBeginning, wrongRange } from './judge-moment.ts';
import type { SaidHistory, SaidIncident, SaidPage } from './said.ts';
import { nameOf, type Fault, type ScriptTruth } from './script-truth.ts';
import type { TriedLog } from './tried-log.ts';

/** How long it takes to be heard and judged, and times of the API server are whole seconds (ms). */
const [latency, wholeSecond] = [3_000, 1_000];
/** Who waits for a dependency asks again after 10 s in the demo, and a pass takes some seconds (ms). */
const nextTry = 15_000;

function tell(at: number): string {
  return Number.isFinite(at) ? new Date(at).toISOString() : 'never';
}

/** The later faults of which one incident tells too: it was not home for good before each of them, and the incident lasted. */
function carriedBy(truth: ScriptTruth, fault: Fault, { closedAt }: SaidIncident): readonly Fault[] {
  const found: Fault[] = [];
  for (const next of truth.faultsOf(fault.ref)) {
    const before = found.at(-1) ?? fault;
    if (next.continues?.fault === before && (closedAt === null || closedAt > next.from)) found.push(next);
  }
  return found;
}

/** What contradicts the script in one incident that is told. */
function wrongIncident(
  fault: Fault | undefined,
  incident: SaidIncident,
  truth: ScriptTruth,
  tried: TriedLog,
): readonly string[] {
  if (fault === undefined) {
    const { openedAt, closedAt, worst, ref } = incident;
    // It said itself that it waits, and no longer than until its next try.
    const wave = worst === 'waiting' && closedAt !== null && closedAt - openedAt <= nextTry;
    if (wave && tried.waited(nameOf(ref), openedAt)) return [];
    return [`${worst} from ${tell(openedAt)} to ${tell(closedAt ?? Infinity)}: nothing was wrong with it`];
  }
  const carried = [fault, ...carriedBy(truth, fault, incident)];
  const last = carried.at(-1) ?? fault;
  const ranges = carried.map((one) => wrongRange(truth, one, incident.range));
  const found = [
    ...wrongBeginning(fault, { time: incident.openedAt, bound: incident.bound }),
    ...(ranges.some((wrong) => wrong.length === 0) ? [] : ranges.flat()),
  ];
  const { closedAt } = incident;
  if (closedAt !== null && closedAt < last.to - wholeSecond)
    found.push(`ended ${tell(closedAt)}, and it was mended ${tell(last.to)}`);
  if (closedAt !== null && closedAt > last.overBy + latency)
    found.push(`ended ${tell(closedAt)}, and that was known by ${tell(last.overBy)}`);
  return found;
}

/** What contradicts the script in all incidents that were told by `now`: each is one fault, or several without being home for good between. */
export function wrongIncidents(
  truth: ScriptTruth,
  tried: TriedLog,
  incidents: readonly SaidIncident[],
  now: number,
): readonly string[] {
  const told = Map.groupBy(incidents, ({ ref }) => nameOf(ref));
  const found: string[] = [];
  const names = new Set([...told.keys(), ...truth.faults.map(({ ref }) => nameOf(ref))]);
  for (const name of names) {
    const own = told.get(name) ?? [];
    const [first] = own;
    const faults = first ? truth.faultsOf(first.ref) : truth.faults.filter(({ ref }) => nameOf(ref) === name);
    const matched = own.map((incident) => ({
      incident,
      fault: faults.findLast(({ from }) => from - wholeSecond <= incident.openedAt),
    }));
    for (const { incident, fault } of matched)
      found.push(...wrongIncident(fault, incident, truth, tried).map((words) => `the incident of ${name}: ${words}`));
    const carried = matched.flatMap(({ fault, incident }) => (fault ? carriedBy(truth, fault, incident) : []));
    for (const fault of faults) {
      const many = matched.filter((match) => match.fault === fault).length;
      const due = fault.knownBy + latency < Math.min(now, fault.to);
      if (many > 1) found.push(`${name}: ${many} incidents of one fault at ${tell(fault.from)}`);
      if (many === 0 && due && !fault.optional && !carried.includes(fault))
        found.push(`${name}: no incident of the fault at ${tell(fault.from)}`);
    }
  }
  return found;
}

/** What contradicts the script in the tables of timelines of one cluster; `seenFrom` is when all was first read. */
export function wrongHistory(
  truth: ScriptTruth,
  tried: TriedLog,
  cluster: string,
  { lanes }: z.infer<typeof SaidHistory>,
  seenFrom: number,
): readonly string[] {
  return lanes.flatMap(({ key, rows, rowsTotal }) => {
    const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
    const ref = { cluster, group, kind, namespace, name };
    const wrong = rows.flatMap(({ from, to, state }) => {
      const times: number[] = [];
      for (let at = Math.max(from, seenFrom); at < to; at += 5_000) times.push(at);
      const lie = times.find((at) => !isTrueThen(truth, tried, ref, state, at));
      return lie === undefined ? [] : [`${state} from ${tell(from)} to ${tell(to)}, and not so at ${tell(lie)}`];
    });
    if (rows.length !== rowsTotal) wrong.push(`${rows.length} of ${rowsTotal} rows`);
    return wrong.map((words) => `the table of ${nameOf(ref)}: ${words}`);
  });
}

/** What contradicts the script in the page of one object: what was changed before, and when. */
export function wrongPage(truth: ScriptTruth, { object, before }: z.infer<typeof SaidPage>): readonly string[] {
  return (before?.changes ?? []).flatMap(({ revision, at, notBefore }) => {
    const commit = revision?.to?.commit ?? null;
    if (commit === null) return [];
    const place = truth.placeOf(commit);
    if (place === null) return [`${nameOf(object)}: changed to ${commit}, which there is not`];
    return truth.headAt(at) < place || notBefore > at
      ? [`${nameOf(object)}: changed to ${commit} at ${tell(at)}, before it was made`]
      : [];
  });
}

/** What contradicts the script in a report over a period in which `opened` incidents began. */
export function wrongReport(
  truth: ScriptTruth,
  opened: number,
  { from, to }: { readonly from: number; readonly to: number },
): readonly string[] {
  const within = (fault: Fault): boolean => fault.from >= from && fault.knownBy + latency < Math.min(to, fault.to);
  const least = truth.faults.filter((fault) => !fault.optional && fault.continues === null && within(fault)).length;
  const most = truth.faults.filter((fault) => fault.from < to && fault.knownBy + latency >= from).length;
  return opened < least || opened > most ? [`the report: ${opened} opened, and it were ${least} to ${most}`] : [];
}
