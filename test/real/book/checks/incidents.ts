import { second } from '#lib/domain/time/length.ts';
import type { WireIncident, WireIncidentPage, WireMember } from '#lib/api/incident.ts';
import type { IncidentEnd } from '#lib/domain/incident/incident.ts';
import { booleanAt, listAt, textAt } from '#lib/foreign.ts';
import type { Subject } from '../../harness/plumbline.ts';
import { type Check, noteOf, type Stage } from '../situation.ts';
import { titleOf } from '../subjects.ts';
import type { Moment } from './began.ts';
import { nameOfCause } from './says.ts';

/** Distance that a beginning or an end may have from the truth (ms). */
const exact = 5_000;

/** Objects that an incident must hold, and no others; a text is the name of a cluster that is lost as a whole. */
interface Members {
  readonly words: string;
  of(stage: Stage): Promise<readonly (Subject | string)[]>;
}

/** The one incident that a deed must have come to in the record. */
export interface Expected {
  /** As Plumbline words it. */
  readonly title: string;
  /** Type and name: "controller kustomize-controller". */
  readonly cause: string;
  /** Note of the time of the deed (ms): incidents that were over before are another's. */
  readonly since: string;
  readonly began: Moment;
  /** Distance that its beginning may have from that (ms); absent for 5 s. */
  readonly tolerance?: number;
  readonly members: Members;
  /** Note of the commit that broke it; absent where no commit did. */
  readonly culprit?: string;
}

/** These objects, or clusters by their names. */
export function only(...members: readonly (Subject | string)[]): Members {
  return { words: members.map(wordsOf).join(', '), of: () => Promise.resolve(members) };
}

/** Every object of a kind that a cluster holds and that is not suspended, as its API server lists them. */
export function everyOne(cluster: 'alpha' | 'beta', kind: string, path: string): Members {
  return {
    words: `every ${kind} on ${cluster} that is not suspended`,
    async of(stage) {
      const { body } = await stage.bed[cluster].admin.get(path);
      const running = listAt(body, 'items').filter((item) => booleanAt(item, 'spec', 'suspend') !== true);
      return running.map((item) => ({
        cluster,
        kind,
        namespace: textAt(item, 'metadata', 'namespace') ?? '',
        name: textAt(item, 'metadata', 'name') ?? '',
      }));
    },
  };
}

/** The first of these moments of several objects. */
export function firstOf(subjects: readonly Subject[], moment: Moment): Moment {
  return {
    words: `${moment.words}, of any of them`,
    at(stage, since) {
      const times = subjects.map((subject) => moment.at(stage, since, subject)).filter((time) => time !== null);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}

/** When the onlooker saw the last of these objects converged again, which must still be so. */
export function seenHome(...subjects: readonly Subject[]): Moment {
  return {
    words: 'when the last of its objects was seen converged',
    at(stage, since) {
      const last = subjects.map((subject) => stage.onlooker.since(subject, since).at(-1));
      const times = last.map((glimpse) => (glimpse?.verdict === 'converged' ? glimpse.at : null));
      return times.includes(null) ? null : Math.max(...times.filter((time) => time !== null));
    },
  };
}

/** One incident of this cause lasts, began when it did, and holds its members: no other of that title, and none of them in another. */
export function isOneIncident(expected: Expected): Check {
  const { title, cause, since, began, tolerance = exact, members, culprit } = expected;
  const name = `incident ${title}`;
  return {
    expects: `${name}: one, of ${cause}, began within ${tolerance / 1000} s of ${began.words}; lasts; holds ${members.words}, and nothing else${culprit === undefined ? '' : `; broke at "${culprit}"`}`,
    async find(stage) {
      const page = await onlyOne(stage, expected);
      if (typeof page === 'string') return { fits: false, got: `${name}: ${page}` };
      const { incident } = page;
      const truth = began.at(stage, Number(noteOf(stage, since)), nobody);
      const present = page.members.filter(({ to }) => to === null);
      const wrong = [
        causeIn(incident) === cause ? null : `of ${causeIn(incident)}`,
        offFrom(incident.openedAt, truth, 'began', tolerance),
        incident.bound === 'exact' ? null : `began ${incident.bound}`,
        incident.closedAt === null ? null : `over: ${incident.ended}`,
        incident.returns === 0 ? null : `came back ${incident.returns} times`,
        differing(present, await members.of(stage)),
        rangeWithout(incident, culprit, stage),
        ...(await elsewhere(stage, incident.id, present, Number(noteOf(stage, since)))),
      ].filter((each) => each !== null);
      return { fits: wrong.length === 0, got: `${name}: ${wrong.join('; ') || 'as expected'}` };
    },
  };
}

/** The same incident is over: `ended` in one of these ways, at that moment, and has not come back. */
export function isOver(expected: Expected, ended: readonly IncidentEnd[], when: Moment, tolerance = exact): Check {
  const name = `incident ${expected.title}`;
  return {
    expects: `${name}: over, ${ended.join(' or ')}, within ${tolerance / 1000} s of ${when.words}; still one`,
    async find(stage) {
      const page = await onlyOne(stage, expected);
      if (typeof page === 'string') return { fits: false, got: `${name}: ${page}` };
      const { closedAt, ended: end, returns } = page.incident;
      const left = page.members.filter(({ to }) => to === null).map(wordsOfMember);
      if (closedAt === null) return { fits: false, got: `${name}: lasts, with ${left.join(', ') || 'nothing'} in it` };
      const truth = when.at(stage, Number(noteOf(stage, expected.since)), nobody);
      const wrong = [
        end !== null && ended.includes(end) ? null : `ended ${end}`,
        offFrom(closedAt, truth, 'over', tolerance),
        returns === 0 ? null : `came back ${returns} times`,
      ].filter((each) => each !== null);
      return { fits: wrong.length === 0, got: `${name}: ${wrong.join('; ') || 'as expected'}` };
    },
  };
}

/** All have left the same incident but for these at most, which others hold up; it has not come back. */
export function isLeftBy(expected: Expected, ...heldUp: readonly Subject[]): Check {
  const name = `incident ${expected.title}`;
  const but = heldUp.length === 0 ? '' : `, but for ${heldUp.map(titleOf).join(', ')} at most`;
  return {
    expects: `${name}: still one; all have left it${but}`,
    async find(stage) {
      const page = await onlyOne(stage, expected);
      if (typeof page === 'string') return { fits: false, got: `${name}: ${page}` };
      const mayStay = new Set(heldUp.map(titleOf));
      const left = page.members.filter(({ to }) => to === null).map(wordsOfMember);
      const { returns } = page.incident;
      return {
        fits: returns === 0 && left.every((one) => mayStay.has(one)),
        got: `${name}: holds ${left.join(', ') || 'nothing'}, came back ${returns} times`,
      };
    },
  };
}

/** The same incident is still over, and has not come back. */
export function staysOver(expected: Expected): Check {
  const name = `incident ${expected.title}`;
  return {
    expects: `${name}: still over, and has not come back`,
    async find(stage) {
      const page = await onlyOne(stage, expected);
      if (typeof page === 'string') return { fits: false, got: `${name}: ${page}` };
      const { closedAt, returns } = page.incident;
      return {
        fits: closedAt !== null && returns === 0,
        got: `${name}: ${closedAt === null ? 'lasts' : `over at ${closedAt}`}, came back ${returns} times`,
      };
    },
  };
}

/** An incident is of no object: its moments name theirs. */
const nobody: Subject = { cluster: '', kind: '', namespace: '', name: '' };

/** The one incident of this title since the deed, or why there is not one. */
async function onlyOne(stage: Stage, { title, since }: Expected): Promise<WireIncidentPage | string> {
  const all = await stage.plumbline.incidents(Number(noteOf(stage, since)) - exact);
  const found = all.filter((one) => one.title === title);
  const [first, another] = found;
  if (first === undefined) return `none; there are ${all.map((one) => one.title).join(', ') || 'none at all'}`;
  if (another !== undefined) return `${found.length}, opened ${found.map(({ openedAt }) => openedAt).join(' and ')}`;
  return stage.plumbline.incident(first.id);
}

/**
 * Other incidents that hold any of these members now, or held it since the deed; of a lost cluster anything on it that began after the deed: what failed by
 * itself before, if only by a moment, goes on beside it.
 */
async function elsewhere(
  stage: Stage,
  id: string,
  members: readonly WireMember[],
  since: number,
): Promise<readonly string[]> {
  // Times of the API are whole seconds. What failed by itself a few seconds before the deed is no member by it.
  const isLater = (time: string): boolean => Date.parse(time) >= since - second;
  const found: string[] = [];
  for (const { ref, cluster } of members) {
    if (ref === null) {
      const all = await stage.plumbline.incidents(since - exact);
      const others = all.filter(
        (one) => one.id !== id && one.clusters.includes(cluster) && Date.parse(one.openedAt) >= since,
      );
      found.push(...others.map(({ title }) => `${title} beside it`));
    } else {
      const rows = await stage.plumbline.memberships(ref);
      const others = rows.filter(
        (row) => row.incident.id !== id && (row.member.to === null || isLater(row.member.from)),
      );
      found.push(...others.map(({ incident }) => `${titleOf(ref)} in ${incident.title}, too`));
    }
  }
  return found;
}

function differing(present: readonly WireMember[], wanted: readonly (Subject | string)[]): string | null {
  const [got, due] = [new Set(present.map(wordsOfMember)), new Set(wanted.map(wordsOf))];
  const [missing, more] = [due.difference(got), got.difference(due)];
  if (missing.size + more.size === 0) return null;
  return `without ${[...missing].join(', ') || 'none missing'}; with ${[...more].join(', ') || 'none more'}`;
}

function offFrom(time: string, truth: number | null, word: string, tolerance = exact): string | null {
  if (truth === null) return `${word} ${time}, and nobody saw when it should`;
  const off = Date.parse(time) - truth;
  return Math.abs(off) <= tolerance ? null : `${word} ${off} ms from then`;
}

function rangeWithout({ range }: WireIncident, culprit: string | undefined, stage: Stage): string | null {
  if (culprit === undefined || range?.firstBad?.commit === noteOf(stage, culprit)) return null;
  return `broke ${range?.text ?? 'at no commit'}`;
}

function causeIn({ cause }: WireIncident): string {
  return `${cause.type} ${nameOfCause(cause)}`;
}

function wordsOfMember({ ref, cluster }: WireMember): string {
  return wordsOf(ref ?? cluster);
}

function wordsOf(member: Subject | string): string {
  return typeof member === 'string' ? `cluster ${member}` : titleOf(member);
}
