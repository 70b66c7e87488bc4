import type { z } from 'zod';
import { minute } from '#lib/domain/time/length.ts';
import { isTrueThen, wrongBeginning, wrongRange } from './judge-moment.ts';
import type { SaidHistory, SaidAbsence, SaidPage, SaidReport } from './said.ts';
import { latency, nameOf, tell, wholeSecond } from './judged.ts';
import type { Fault, ScriptTruth } from './script-truth.ts';

/** The later faults of which one absence tells too: it was not home for good before each of them, and the absence lasted. */
function carriedBy(truth: ScriptTruth, fault: Fault, { closedAt }: SaidAbsence): readonly Fault[] {
  const found: Fault[] = [];
  for (const next of truth.faultsOf(fault.ref)) {
    const before = found.at(-1) ?? fault;
    if (next.continues?.fault === before && (closedAt === null || closedAt > next.from)) found.push(next);
  }
  return found;
}

/** Contradictions to the script in one absence that is told. */
function wrongAbsence(fault: Fault | undefined, absence: SaidAbsence, truth: ScriptTruth): readonly string[] {
  if (fault === undefined) {
    const { ref, noticedAt, openedAt, closedAt, worst } = absence;
    // What waits for what comes before it, or has not settled as the first look is taken, is away, and nothing is wrong with it.
    if (worst === 'waiting' && truth.saysItWaits(ref, noticedAt)) return [];
    if (worst === 'progressing' && (closedAt ?? Infinity) < truth.observedFrom) return [];
    return [`${worst} from ${tell(openedAt)} to ${tell(closedAt ?? Infinity)}: nothing was wrong with it`];
  }
  truth.judged.times += 2;
  const carried = [fault, ...carriedBy(truth, fault, absence)];
  const last = carried.at(-1) ?? fault;
  const ranges = carried.map((one) => wrongRange(truth, one, absence.range));
  const found = [
    ...wrongBeginning(fault, { time: absence.openedAt, bound: absence.bound }),
    ...(ranges.some((wrong) => wrong.length === 0) ? [] : ranges.flat()),
  ];
  const { closedAt } = absence;
  if (closedAt !== null && closedAt < last.to - wholeSecond)
    found.push(`ended ${tell(closedAt)}, and it was mended ${tell(last.to)}`);
  if (closedAt !== null && closedAt > last.overBy + latency)
    found.push(`ended ${tell(closedAt)}, and that was known by ${tell(last.overBy)}`);
  return found;
}

/** Contradictions to the script in all absences told by `now`: each is one fault, or several without being home for good between. */
export function wrongAbsences(truth: ScriptTruth, absences: readonly SaidAbsence[], now: number): readonly string[] {
  const recorded = Map.groupBy(absences, ({ ref }) => nameOf(ref));
  const found: string[] = [];
  const names = new Set([...recorded.keys(), ...truth.faults.map(({ ref }) => nameOf(ref))]);
  for (const name of names) {
    const own = recorded.get(name) ?? [];
    const [first] = own;
    const faults = first ? truth.faultsOf(first.ref) : truth.faults.filter(({ ref }) => nameOf(ref) === name);
    const matched = own.map((absence) => ({
      absence,
      fault: faults.findLast(({ from }) => from - wholeSecond <= absence.openedAt),
    }));
    for (const { absence, fault } of matched)
      found.push(...wrongAbsence(fault, absence, truth).map((words) => `the absence of ${name}: ${words}`));
    const carried = matched.flatMap(({ fault, absence }) => (fault ? carriedBy(truth, fault, absence) : []));
    for (const fault of faults) {
      const many = matched.filter((match) => match.fault === fault).length;
      const due = fault.knownBy + latency < Math.min(now, fault.to);
      if (many > 1) found.push(`${name}: ${many} absences of one fault at ${tell(fault.from)}`);
      if (many === 0 && due && !fault.optional && !carried.includes(fault))
        found.push(`${name}: no absence of the fault at ${tell(fault.from)}`);
    }
  }
  return found;
}

/** Contradictions to the script in the tables of timelines of one cluster; `seenFrom` is when all was first read. */
export function wrongHistory(
  truth: ScriptTruth,
  cluster: string,
  { lanes }: z.infer<typeof SaidHistory>,
  seenFrom: number,
): readonly string[] {
  return lanes.flatMap(({ key, rows, rowsTotal }) => {
    const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
    const ref = { cluster, group, kind, namespace, name };
    const wrong = rows.flatMap(({ from, to, state }) => {
      truth.judged.times += 2;
      const times: number[] = [];
      for (let at = Math.max(from, seenFrom); at < to; at += 5_000) times.push(at);
      const lie = times.find((at) => !isTrueThen(truth, ref, state, at));
      return lie === undefined ? [] : [`${state} from ${tell(from)} to ${tell(to)}, and not so at ${tell(lie)}`];
    });
    if (rows.length !== rowsTotal) wrong.push(`${rows.length} of ${rowsTotal} rows`);
    return wrong.map((words) => `the table of ${nameOf(ref)}: ${words}`);
  });
}

/** Contradictions to the script in the page of one object: what was changed before, and when. */
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

/** Contradictions to the script in the figures of a report over a period, the present at its end. */
export function wrongReport(
  truth: ScriptTruth,
  { absences, changes }: z.infer<typeof SaidReport>['figures'],
  { from, to }: { readonly from: number; readonly to: number },
): readonly string[] {
  const found: string[] = [];
  truth.judged.numbers += 7;
  const within = (fault: Fault): boolean => fault.from >= from && fault.knownBy + latency < Math.min(to, fault.to);
  const least = truth.faults.filter((fault) => !fault.optional && fault.continues === null && within(fault)).length;
  const most = truth.faults.filter((fault) => fault.from < to && fault.knownBy + latency >= from).length;
  const { opened, openAtStart, closed, gone, open } = absences;
  if (opened < least || opened > most) found.push(`${opened} opened, and it were ${least} to ${most}`);
  if (opened + openAtStart !== closed + gone + open)
    found.push(`${opened} and ${openAtStart} opened, ${closed}, ${gone} and ${open} did not`);
  if (gone > 0) found.push(`${gone} gone, and nothing was removed`);
  // What lasts surely has an absence, and who was never away has none.
  const lasting = truth.faults.filter(
    ({ optional, knownBy, to: end }) => !optional && knownBy + latency < to && end > to,
  ).length;
  const possible = truth.faults.filter((fault) => fault.from < to && fault.overBy + 4 * minute > to).length;
  if (open < lasting || open > possible) found.push(`${open} open, and it were ${lasting} to ${possible}`);
  const { suspended, resumed } = truth.switchedWithin(from, to);
  if (changes.suspended !== suspended || changes.resumed !== resumed)
    found.push(
      `${changes.suspended} suspended and ${changes.resumed} resumed, and it were ${suspended} and ${resumed}`,
    );
  return found.map((words) => `the report: ${words}`);
}
