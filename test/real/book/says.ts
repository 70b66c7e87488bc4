import type { WireObject } from '#lib/api/object.ts';
import type { Subject } from '../harness/plumbline.ts';
import type { Look, Stage } from './situation.ts';

/** What `/api/v1/objects` must say of one object; what is not named is not looked at. */
export interface Expected {
  readonly verdict: WireObject['verdict'];
  readonly was?: WireObject['verdict'];
  readonly reason?: string;
  readonly drift?: WireObject['drift'];
  readonly confirmation?: WireObject['confirmation'];
  /** "Kind/name" of an object, the name of a controller or cluster; null for none. */
  readonly rootCause?: string | null;
  /** An exemption of this kind must be there. */
  readonly exemption?: string;
  /** The commit that runs. */
  readonly commit?: (stage: Stage) => string;
  /** The end of the revision that is applied, attempted, offered. */
  readonly applied?: (stage: Stage) => string;
  readonly attempted?: (stage: Stage) => string;
  readonly offered?: (stage: Stage) => string;
  readonly path?: string;
  readonly source?: string;
  readonly deliveredBy?: string;
  /** Whether it is counted as away from converged. */
  readonly away?: boolean;
  readonly guarantee?: WireObject['guarantee'];
  /** A piece of the sentence or the message, without regard to case. */
  readonly mentions?: string;
}

/** Looks at one object over the API. */
export function says(subject: Subject, expected: Expected): Look {
  return async (stage) => {
    const object = await stage.plumbline.object(subject);
    const title = `${subject.cluster}/${subject.kind}/${subject.name}`;
    if (object === null) return [`${title}: the API knows no such object`];
    const wrong = differences(object, expected, stage);
    return wrong.length === 0 ? [] : [`${title}: ${wrong.join('; ')} (it says: ${object.sentence})`];
  };
}

function differences(object: WireObject, expected: Expected, stage: Stage): readonly string[] {
  const wrong: string[] = [];
  const same = (field: string, got: string | boolean | null, wanted: string | boolean | null | undefined): void => {
    if (wanted !== undefined && got !== wanted) wrong.push(`${field} is ${got}, not ${wanted}`);
  };
  const endsIn = (field: string, got: string | null, wanted: ((stage: Stage) => string) | undefined): void => {
    if (wanted !== undefined && !(got ?? '').endsWith(wanted(stage)))
      wrong.push(`${field} is ${got}, not ${wanted(stage)}`);
  };
  same('verdict', object.verdict, expected.verdict);
  same('was', object.was, expected.was);
  same('reason', object.reason, expected.reason);
  same('drift', object.drift, expected.drift);
  same('confirmation', object.confirmation, expected.confirmation);
  same('rootCause', causeOf(object), expected.rootCause);
  same('path', object.path, expected.path);
  same('source', titleOf(object.source), expected.source);
  same('deliveredBy', titleOf(object.deliveredBy), expected.deliveredBy);
  same('away', object.awaySince !== null, expected.away);
  same('guarantee', object.guarantee, expected.guarantee);
  endsIn('commit', object.commit, expected.commit);
  endsIn('applied', object.revision.applied, expected.applied);
  endsIn('attempted', object.revision.attempted, expected.attempted);
  endsIn('offered', object.revision.offered, expected.offered);
  const kinds = object.exemptions.map((exemption) => exemption.kind);
  if (expected.exemption !== undefined && !kinds.includes(expected.exemption)) {
    wrong.push(`exemptions are [${kinds.join(', ')}], without ${expected.exemption}`);
  }
  const words = `${object.sentence} ${object.message}`.toLowerCase();
  if (expected.mentions !== undefined && !words.includes(expected.mentions.toLowerCase())) {
    wrong.push(`neither sentence nor message mentions "${expected.mentions}"`);
  }
  return wrong;
}

function titleOf(ref: { readonly kind: string; readonly name: string } | null): string | null {
  return ref === null ? null : `${ref.kind}/${ref.name}`;
}

function causeOf(object: WireObject): string | null {
  const cause = object.rootCause;
  if (cause === null) return null;
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
      return cause.title;
  }
}
