// What incidents there were, read from the script of a past and nothing else: every plot says what each object failed by. Shares no code
// with what judges, or with what folds faults into incidents. Times in ms since the epoch; Infinity is what lasts.
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Script, Stage } from '#server/simulator/past/script.ts';
import { isMemberOf, membersOf, opens, patient, type TrueMember, type TrueWord } from './true-members.ts';
import { words, type TrueScope } from './truth.ts';

/** An incident that comes back within so much time of its end goes on (ms): the policy's default. */
const quiet = 600_000;

/** Number of objects, and of clusters that they are on. */
interface TrueReach {
  readonly objects: number;
  readonly clusters: number;
}

/** All that failed by one cause of the script, without having been well for long in between. */
export interface TrueIncident {
  readonly blames: Cause;
  /** By when they were known. */
  readonly members: readonly TrueMember[];
  readonly openedAt: number;
  readonly bound: Stage['bound'];
  readonly noticedAt: number;
  readonly closedAt: number;
  readonly ended: TrueMember['ended'];
  /** Number of times that it was over and came back. */
  readonly returns: number;
  readonly most: TrueReach;
  readonly now: TrueReach;
  /** Object-ms up to when all this was known. */
  readonly objectTime: number;
  readonly worst: Stage['verdict'];
  readonly reason: string;
  readonly broke: TrueWord['broke'];
  /** Until when it was taken for a fault of its first object alone; null where it was not. */
  readonly takenUntil: number | null;
  /** Number of other incidents that turned out to be part of it. */
  readonly merged: number;
}

/** Every incident as it was known at a moment: nothing that was noticed later. */
export function incidentsOf(script: Script, at: number): readonly TrueIncident[] {
  const members = membersOf(script, at);
  return [...Map.groupBy(members, ({ cause }) => cause).values()].flatMap((of) =>
    apart(of).map((some) => incidentOf(some, at)),
  );
}

/** True if an incident has a member in a scope. */
export function isOfScope({ members }: TrueIncident, scope: TrueScope): boolean {
  return members.some((member) => isMemberOf(member, scope));
}

function byFirstKnown(a: TrueMember, b: TrueMember): number {
  return a.known[0].from - b.known[0].from;
}

/** Splits the times of one cause where it was over for longer than the quiet time. */
function apart(members: readonly TrueMember[]): readonly (readonly TrueMember[])[] {
  const found: TrueMember[][] = [];
  let end = -Infinity;
  for (const member of members.toSorted(byFirstKnown)) {
    const last = found.at(-1);
    if (last && member.known[0].from - end <= quiet) last.push(member);
    else found.push([member]);
    end = Math.max(end, member.to);
  }
  return found;
}

function rank({ verdict }: TrueWord): number {
  return words.indexOf(verdict);
}

/** When it was known that a member was back, or had left. */
function leftAt({ known }: TrueMember): number {
  return known.at(-1)?.to ?? Infinity;
}

/** The member that was away first. */
function oldestOf(members: readonly TrueMember[]): TrueMember | undefined {
  return members.toSorted((a, b) => a.from - b.from || byFirstKnown(a, b))[0];
}

function incidentOf(members: readonly TrueMember[], at: number): TrueIncident {
  const oldest = oldestOf(members);
  const leaving = members.toSorted((a, b) => leftAt(a) - leftAt(b));
  const last = leaving.findLast(({ ended }) => ended !== 'moved') ?? leaving.at(-1);
  const said = members.flatMap((one) => one.said).toSorted((a, b) => a.noticedAt - b.noticedAt);
  const bad = said.filter(({ verdict }) => !patient.has(verdict));
  const worst = bad.toSorted((a, b) => rank(a) - rank(b) || a.noticedAt - b.noticedAt)[0];
  const recognition = recognitionOf(members);
  const founder = members.filter(opens).toSorted(byFirstKnown)[0];
  const blaming =
    recognition.takenUntil === null ? founder?.said[0] : oldest?.said.find(({ seemsAlone }) => !seemsAlone);
  const objectTimes = members.flatMap(({ objects, known }) =>
    known.map(({ from, to }) => objects * (Math.min(to, at) - from)),
  );
  return {
    blames: blaming?.blames ?? { type: 'cluster', cluster: '' },
    members,
    openedAt: oldest?.from ?? 0,
    bound: oldest?.bound ?? 'exact',
    noticedAt: Math.min(...members.map(({ known }) => known[0].from)),
    closedAt: Math.max(...members.map(({ to }) => to)),
    ended: last?.ended ?? null,
    ...courseOf(members),
    now: reachOf(members.filter(({ ended }) => ended === null)),
    objectTime: objectTimes.reduce((sum, each) => sum + each, 0),
    worst: worst?.verdict ?? 'waiting',
    reason: worst?.reason ?? '',
    broke: said.find(({ broke }) => broke !== null)?.broke ?? null,
    ...recognition,
  };
}

function reachOf(members: readonly TrueMember[]): TrueReach {
  const objects = members.reduce((sum, one) => sum + one.objects, 0);
  return { objects, clusters: new Set(members.map(({ cluster }) => cluster)).size };
}

/** Goes through it from change to change: how large it was, and how often it was over and came back. */
function courseOf(members: readonly TrueMember[]): Pick<TrueIncident, 'returns' | 'most'> {
  const changes = members.flatMap((member) =>
    member.known.flatMap(({ from, to }) => [
      { at: from, comes: true, member },
      { at: to, comes: false, member },
    ]),
  );
  const open = new Set<TrueMember>();
  const known = new Set<string>();
  let returns = 0;
  let most: TrueReach = { objects: 0, clusters: 0 };
  for (const { comes, member } of changes.toSorted((a, b) => a.at - b.at || Number(a.comes) - Number(b.comes))) {
    if (comes && open.size === 0 && known.size > 0 && !known.has(member.subject)) returns += 1;
    known.add(member.subject);
    if (comes) open.add(member);
    else open.delete(member);
    const { objects, clusters } = reachOf([...open]);
    most = { objects: Math.max(most.objects, objects), clusters: Math.max(most.clusters, clusters) };
  }
  return { returns, most };
}

/** When the cause of a member that seemed to fail alone was known. */
function recognisedAt({ said }: TrueMember): number | null {
  return said[0]?.seemsAlone ? (said.find(({ seemsAlone }) => !seemsAlone)?.noticedAt ?? null) : null;
}

/** Each that seemed to fail alone was an incident of its own; so was the cause, where it was known of another first. */
function recognitionOf(members: readonly TrueMember[]): Pick<TrueIncident, 'takenUntil' | 'merged'> {
  const recognised = members.flatMap((one) => recognisedAt(one) ?? []);
  const oldest = oldestOf(members);
  if (recognised.length === 0 || !oldest) return { takenUntil: null, merged: 0 };
  const direct = members.filter((one) => recognisedAt(one) === null).map(({ known }) => known[0].from);
  const isKnownFirst = Math.min(...direct) < Math.min(...recognised);
  return { takenUntil: recognisedAt(oldest), merged: recognised.length - (isKnownFirst ? 0 : 1) };
}
