import type { WireCause, WireObject } from '#lib/api/object.ts';
import type { ExemptionKind } from '#lib/domain/exemption/exemption.ts';
import type { Subject } from '../../harness/plumbline.ts';
import { type Check, noteOf, type Stage } from '../situation.ts';
import { titleOf } from '../subjects.ts';

/** Answer that `/api/v1/objects` must give of one object; what is not named is not looked at. */
export interface Expected {
  readonly verdict: WireObject['verdict'];
  readonly was?: WireObject['verdict'];
  readonly reason?: string;
  readonly drift?: WireObject['drift'];
  readonly confirmation?: WireObject['confirmation'];
  /** "Kind/name" of an object, the name of a controller or cluster; a last "*" stands for any end; null for none. */
  readonly rootCause?: string | null;
  /** The kinds of all its exemptions: these, and no other. */
  readonly exemptions?: readonly ExemptionKind[];
  /** Who set an exemption of a kind, by the name of the field manager. */
  readonly setBy?: readonly [exemption: ExemptionKind, manager: string];
  /** The name of the note that holds the commit that runs; null for none. */
  readonly commit?: string | null;
  /** The name of the note that the revision ends in that is applied, attempted, offered. */
  readonly applied?: string;
  readonly attempted?: string;
  readonly offered?: string;
  readonly path?: string;
  readonly source?: string;
  /** "Kind/name" of what delivers it, with "on CLUSTER" where that is another one; null for none. */
  readonly deliveredBy?: string | null;
  /** True if it is counted as away from converged. */
  readonly away?: boolean;
  readonly guarantee?: WireObject['guarantee'];
  /** A piece of the sentence or the message, without regard to case. */
  readonly mentions?: string;
}

interface Detail {
  readonly field: string;
  readonly wanted: string;
  readonly got: (object: WireObject, stage: Stage) => string;
}

/** Checks one object over the API. */
export function says(subject: Subject, expected: Expected): Check {
  const details = detailsOf(expected);
  return {
    expects: `${titleOf(subject)}: ${details.map(({ field, wanted }) => `${field} ${wanted}`).join('; ')}`,
    async find(stage) {
      const object = await stage.plumbline.object(subject);
      if (object === null) return { fits: false, got: `${titleOf(subject)}: the API knows no such object` };
      const found = details.map((detail) => ({ ...detail, got: detail.got(object, stage) }));
      const fits = found.every(({ wanted, got }) => got === wanted);
      const words = found.map(({ field, wanted, got }) => `${field} ${got}${got === wanted ? '' : ' (!)'}`);
      return { fits, got: `${titleOf(subject)}: ${words.join('; ')}${fits ? '' : `; it says: ${object.sentence}`}` };
    },
  };
}

/** Checks that the verdict of an object is one of some: where what others do meanwhile decides which of them is right. */
export function isOneOf(subject: Subject, verdicts: readonly WireObject['verdict'][]): Check {
  return {
    expects: `${titleOf(subject)}: verdict ${verdicts.join(' or ')}`,
    async find(stage) {
      const object = await stage.plumbline.object(subject);
      if (object === null) return { fits: false, got: `${titleOf(subject)}: the API knows no such object` };
      return { fits: verdicts.includes(object.verdict), got: `${titleOf(subject)}: verdict ${object.verdict}` };
    },
  };
}

/** Checks that an object is known, whatever is said of it. */
export function isSeen(subject: Subject): Check {
  return {
    expects: `${titleOf(subject)}: shown`,
    async find(stage) {
      const object = await stage.plumbline.object(subject);
      return { fits: object !== null, got: `${titleOf(subject)}: ${object ? 'shown' : 'not shown'}` };
    },
  };
}

/** Checks that an object is not known (any more). */
export function isGone(subject: Subject): Check {
  return {
    expects: `${titleOf(subject)}: not shown any more`,
    async find(stage) {
      const object = await stage.plumbline.object(subject);
      return object === null
        ? { fits: true, got: `${titleOf(subject)}: not shown any more` }
        : { fits: false, got: `${titleOf(subject)}: still shown, as ${object.verdict}` };
    },
  };
}

function detailsOf(expected: Expected): readonly Detail[] {
  const details: Detail[] = [];
  const add = (field: string, wanted: string | null | undefined, got: (object: WireObject) => string | null): void => {
    if (wanted === undefined) return;
    details.push({ field, wanted: wanted ?? 'none', got: (object) => got(object) ?? 'none' });
  };
  /** A revision that ends in the noted commit is written as the note's name. */
  const addNote = (field: string, note: string | undefined, got: (object: WireObject) => string | null): void => {
    if (note === undefined) return;
    details.push({
      field,
      wanted: `"${note}"`,
      got: (object, stage) =>
        (got(object) ?? '').endsWith(noteOf(stage, note)) ? `"${note}"` : (got(object) ?? 'none'),
    });
  };
  add('verdict', expected.verdict, (object) => object.verdict);
  add('was', expected.was, (object) => object.was);
  add('reason', expected.reason, (object) => object.reason);
  add('drift', expected.drift, (object) => object.drift);
  add('confirmed by', expected.confirmation, (object) => object.confirmation);
  const { rootCause } = expected;
  add('root cause', rootCause, (object) => {
    const cause = object.rootCause && nameOfCause(object.rootCause);
    const start = rootCause?.endsWith('*') ? rootCause.slice(0, -1) : null;
    return start !== null && cause?.startsWith(start) ? `${start}*` : cause;
  });
  add('exemptions', listed(expected.exemptions), (object) => listed(object.exemptions.map(({ kind }) => kind)) ?? null);
  if (expected.setBy !== undefined) {
    const [kind, manager] = expected.setBy;
    add(`${kind} set by`, manager, (object) => object.exemptions.find((one) => one.kind === kind)?.by ?? null);
  }
  if (expected.commit === null) add('runs', null, (object) => object.commit);
  else addNote('runs', expected.commit, (object) => object.commit);
  addNote('applied', expected.applied, (object) => object.revision.applied);
  addNote('attempted', expected.attempted, (object) => object.revision.attempted);
  addNote('offered', expected.offered, (object) => object.revision.offered);
  add('path', expected.path, (object) => object.path);
  add('source', expected.source, (object) => nameOf(object.source));
  add('delivered by', expected.deliveredBy, delivererOf);
  add('away', spoken(expected.away), (object) => spoken(object.awaySince !== null) ?? null);
  add('guarantee', expected.guarantee, (object) => object.guarantee);
  const { mentions } = expected;
  add('mentions', mentions, ({ sentence, message }) =>
    `${sentence} ${message}`.toLowerCase().includes((mentions ?? '').toLowerCase()) ? (mentions ?? '') : message,
  );
  return details;
}

function listed(kinds: readonly string[] | undefined): string | undefined {
  return kinds === undefined ? undefined : `[${[...new Set(kinds)].toSorted().join(', ')}]`;
}

function spoken(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'yes' : 'no';
}

function nameOf(ref: { readonly kind: string; readonly name: string } | null): string | null {
  return ref === null ? null : `${ref.kind}/${ref.name}`;
}

/** With its cluster where it is on another one than the object. */
function delivererOf({ cluster, deliveredBy }: WireObject): string | null {
  if (deliveredBy === null || deliveredBy.cluster === cluster) return nameOf(deliveredBy);
  return `${nameOf(deliveredBy)} on ${deliveredBy.cluster}`;
}

/** A cause by its name alone: "Kind/name" of an object, the name of a controller or cluster, the kind of a feed. */
export function nameOfCause(cause: WireCause): string {
  switch (cause.type) {
    case 'object':
      return `${cause.kind}/${cause.name}`;
    case 'controller':
      return cause.name;
    case 'cluster':
      return cause.cluster;
    case 'feed':
      return cause.kind;
    case 'shared-error':
    case 'outside':
      return cause.title;
  }
}
