import { causeTitle } from '../cause/cause.ts';
import type { CurrentObject } from './current.ts';
import { driftGoesUnseen } from '../observation/drift.ts';
import { shortRevision } from '../observation/revision.ts';

/** Part of an object's record that a sentence needs. */
type Recorded = Pick<CurrentObject, 'ref' | 'role' | 'verdict' | 'drift' | 'reason' | 'rootCause' | 'revision'>;

/**
 * The sentence of an object at a past moment, from what the record keeps: its verdict, the reason, the root cause and the revision
 * tried. The sentence that stood there then is not kept, for it is made of more than that.
 */
export function pastSentence(object: Recorded): string {
  const name = `${object.ref.kind} ${object.ref.name}`;
  // Most are, and of the others there is more to be said.
  if (object.verdict === 'converged') return `${name} ${convergedClause(object)}.`;
  const { attempted } = object.revision;
  const tried = attempted === null || object.role !== 'applier' ? '' : `, tried at ${shortRevision(attempted)}`;
  const reason = object.reason === '' ? '' : ` (${object.reason})`;
  const cause = object.rootCause === null ? null : causeTitle(object.rootCause);
  const because = cause === null ? reason : `: the fault lies with ${cause}`;
  switch (object.verdict) {
    case 'diverged':
      return `${name} cannot be made as declared${tried}${because}.`;
    case 'drifted':
      return `A difference was found in ${name} and is left in place${because}.`;
    case 'unhealthy':
      return `${name} is there, but does not work${tried}${because}.`;
    case 'stale':
      return `The last word of ${name} proves nothing: its loop has stopped or is blind${because}.`;
    case 'unobserved':
      if (object.role === 'declared') return `${name} is declared, and nothing reports on it.`;
      return `${name} is not seen${because}.`;
    case 'suspended':
      return `${name} is switched off on purpose.`;
    case 'behind':
      return `${name} works, at an older revision than its source offers${because}.`;
    case 'waiting':
      return cause === null ? `${name} waits for something else${reason}.` : `${name} waits for ${cause}.`;
    case 'progressing':
      return `${name} has not settled yet${because}.`;
    case 'unconfirmed':
      return `The last word of ${name} is good, but nothing proves that this is still so${because}.`;
  }
}

/** No more than was said then: where nobody measured drift, that it is as declared was not known. */
function convergedClause(object: Pick<Recorded, 'role' | 'drift'>): string {
  if (driftGoesUnseen(object)) {
    const done = object.role === 'applier' ? 'was applied' : 'is there';
    return `${done}; whether it has drifted is not measured`;
  }
  switch (object.role) {
    case 'applier':
    case 'managed':
    case 'composite':
    case 'claim':
      return 'is as declared';
    case 'source':
    case 'package':
    case 'definition':
    case 'helper':
      return 'is in order';
    case 'declared':
      return 'is declared, and nothing reports on it';
  }
}
