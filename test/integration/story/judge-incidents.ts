import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { StatedLoss, TrueCause } from '#server/simulator/truth.ts';
import { wrongBeginning, wrongRange } from './judge-moment.ts';
import { latency, nameOf, tell, wholeSecond } from './judged.ts';
import type { SaidIncident, SaidMember } from './said.ts';
import type { Fault, ScriptTruth } from './script-truth.ts';

/** An incident with all of its members, as it is told. */
export interface ToldIncident {
  readonly incident: SaidIncident;
  readonly members: readonly SaidMember[];
}

/** Words that make no incident by themselves. */
const patient: ReadonlySet<string> = new Set(['waiting', 'progressing']);

function words({ type, kind, name, cluster }: TrueCause): string {
  return [type, kind, name, cluster ?? 'several clusters'].join(' ');
}

/** True if what is told to be the cause is this one. */
function isCause({ cause }: SaidIncident, { type, kind, name, cluster }: TrueCause): boolean {
  const where = cluster === null || cause.cluster === cluster;
  if (type === 'cluster') return cause.type === type && where;
  return cause.type === type && cause.name === name && where && (kind === '' || cause.kind === kind);
}

/** Why the time of an object in an incident contradicts the script. */
function wrongMember(
  truth: ScriptTruth,
  incident: SaidIncident,
  member: SaidMember,
  all: readonly SaidMember[],
): readonly string[] {
  const { ref, from, bound, to, ended, noticedAt } = member;
  if (ref === null) return wrongLoss(truth, incident, member);
  truth.judged.times += 2;
  const fault = truth.faultsOf(ref).findLast((one) => one.from - wholeSecond <= from);
  // What waits for what is wrong is in it, too: only the object itself can tell that it waits.
  if (fault === undefined)
    return truth.saysItWaits(ref, noticedAt)
      ? []
      : [`from ${tell(from)} to ${tell(to ?? Infinity)}: nothing was wrong`];
  const found: string[] = [];
  if (!fault.causes.some((cause) => isCause(incident, cause)) && !truth.saysItWaits(ref, noticedAt))
    found.push(`its fault at ${tell(fault.from)} was by ${fault.causes.map(words).join(' or ')}`);
  // What came from another incident was in that since its beginning.
  const came = all.some((one) => one.ended === 'moved' && Math.abs((one.to ?? 0) - from) <= latency && isOf(ref, one));
  if (!came) found.push(...wrongBeginning(fault, { time: from, bound }));
  if (to !== null && ended !== 'moved' && to < fault.to - wholeSecond)
    found.push(`ended ${tell(to)}, and it was mended ${tell(fault.to)}`);
  if (to !== null && to > lastOver(truth, fault) + latency) found.push(`ended ${tell(to)}, too late`);
  return found;
}

function isOf(ref: ObjectRef, member: SaidMember): boolean {
  return member.ref !== null && nameOf(member.ref) === nameOf(ref);
}

/** When a fault, with those that it may have gone on in, was known to be over (ms). */
function lastOver(truth: ScriptTruth, fault: Fault): number {
  const next = truth.faultsOf(fault.ref).find((one) => one.continues?.fault === fault);
  return next === undefined ? fault.overBy : lastOver(truth, next);
}

function wrongLoss(truth: ScriptTruth, incident: SaidIncident, { cluster, from, to }: SaidMember): readonly string[] {
  truth.judged.times += 2;
  const loss = truth.losses.findLast((one) => one.cluster === cluster && one.from - wholeSecond <= from);
  if (loss === undefined) return [`${cluster} from ${tell(from)}: it was never lost`];
  const found: string[] = [];
  if (incident.cause.type !== 'cluster') found.push(`by ${incident.title}, and it was lost itself`);
  if (from > loss.knownBy + latency) found.push(`since ${tell(from)}, and that was known by ${tell(loss.knownBy)}`);
  if (to !== null && to < loss.to - wholeSecond) found.push(`seen ${tell(to)}, and it was back ${tell(loss.to)}`);
  if (to !== null && to > loss.overBy + latency) found.push(`seen ${tell(to)}, and it was by ${tell(loss.overBy)}`);
  return found;
}

/** Why what is told of an incident contradicts what is told of its members. */
function wrongSum({ incident, members }: ToldIncident, truth: ScriptTruth): readonly string[] {
  truth.judged.numbers += 6;
  const found: string[] = [];
  const must = (what: string, told: unknown, is: unknown): void => {
    if (told !== is) found.push(`${what} ${String(told)}, and it is ${String(is)}`);
  };
  const open = members.filter(({ to }) => to === null);
  must('members', incident.members, members.length);
  must('opened', incident.openedAt, Math.min(...members.map(({ from }) => from)));
  must(
    'objects now',
    incident.now.objects,
    open.reduce((sum, { objects }) => sum + objects, 0),
  );
  must('clusters now', incident.now.clusters, new Set(open.map(({ cluster }) => cluster)).size);
  must('lasts', incident.closedAt === null, open.length > 0);
  if (incident.closedAt !== null) must('closed', incident.closedAt, Math.max(...members.map(({ to }) => to ?? 0)));
  const largest = members.reduce((sum, { objects }) => sum + objects, 0);
  if (incident.most.objects > largest || incident.most.objects < incident.now.objects)
    found.push(`${incident.most.objects} objects at once, of ${largest}`);
  if (incident.noticedAt < incident.openedAt) found.push('was noticed before it began');
  if (members.every(({ verdict }) => patient.has(verdict))) found.push('only waits');
  return found;
}

/** Number of times that a cause came back: all rounds of the story are within the quiet time. */
function returnsOf(times: readonly { readonly from: number; readonly to: number }[]): number {
  let [returns, end] = [-1, -Infinity];
  for (const { from, to } of times.toSorted((a, b) => a.from - b.from)) {
    if (from > end) returns += 1;
    end = Math.max(end, to);
  }
  return returns;
}

/** Causes by the script that are to be known by now, each with the times in which it failed. */
function causesOf(
  truth: ScriptTruth,
  now: number,
): ReadonlyMap<string, { readonly cause: TrueCause; readonly faults: readonly (Fault | StatedLoss)[] }> {
  const found = new Map<string, { readonly cause: TrueCause; readonly faults: readonly (Fault | StatedLoss)[] }>();
  const add = (cause: TrueCause, fault: Fault | StatedLoss): void => {
    if (fault.knownBy + latency >= Math.min(now, fault.to)) return;
    found.set(words(cause), { cause, faults: [...(found.get(words(cause))?.faults ?? []), fault] });
  };
  for (const fault of truth.faults) if (!fault.optional && !fault.patient) add(fault.causes[0], fault);
  for (const loss of truth.losses) add({ type: 'cluster', kind: '', name: loss.cluster, cluster: loss.cluster }, loss);
  return found;
}

/** Contradictions to the script in all incidents told by `now`: one for each cause, with everything that failed by it. */
export function wrongIncidents(truth: ScriptTruth, told: readonly ToldIncident[], now: number): readonly string[] {
  const found: string[] = [];
  const all = told.flatMap(({ members }) => members);
  for (const one of told) {
    const { incident, members } = one;
    const wrong = members.flatMap((member) =>
      wrongMember(truth, incident, member, all).map(
        (text) => `${member.ref === null ? '' : nameOf(member.ref)}: ${text}`,
      ),
    );
    const faults = members.flatMap(({ ref }) => (ref === null ? [] : truth.faultsOf(ref)));
    const ranges = faults.map((fault) => wrongRange(truth, fault, incident.range));
    if (incident.range !== null && ranges.every((range) => range.length > 0)) wrong.push(...(ranges[0] ?? []));
    wrong.push(...wrongSum(one, truth));
    found.push(...wrong.map((text) => `the incident of ${incident.title} (${incident.id}): ${text}`));
  }
  const causes = causesOf(truth, now);
  for (const [name, { cause, faults }] of causes) {
    const own = told.filter(({ incident }) => isCause(incident, cause));
    truth.judged.numbers += 2;
    if (own.length !== 1) found.push(`${name}: ${own.length} incidents of one cause`);
    for (const { incident, members } of own) {
      found.push(...missing(faults, members, now).map((text) => `the incident of ${incident.title}: ${text}`));
      const returns = returnsOf(faults);
      if (incident.returns !== returns)
        found.push(`the incident of ${incident.title}: came back ${incident.returns} times, and it were ${returns}`);
    }
  }
  return found;
}

/** Faults that an incident has no member for. One that went on without the object being home for good is told with the one before. */
function missing(
  faults: readonly (Fault | StatedLoss)[],
  members: readonly SaidMember[],
  now: number,
): readonly string[] {
  return faults.flatMap((fault) => {
    if ('ref' in fault && fault.continues !== null) return [];
    const name = 'ref' in fault ? nameOf(fault.ref) : fault.cluster;
    const its = members.filter(({ ref, cluster }) =>
      'ref' in fault ? ref !== null && nameOf(ref) === name : ref === null && cluster === name,
    );
    const isTold = its.some(
      ({ from, to }) => from <= fault.knownBy + latency && (to ?? now) >= Math.min(fault.to, now) - wholeSecond,
    );
    return isTold ? [] : [`nothing of ${name} since ${tell(fault.from)}`];
  });
}
