import type { ChangeFact } from '../domain/record/change.ts';
import { exemptionTitle } from './exemption-label.ts';
import { shortRevision } from './revision.ts';

/** Change in a short clause: "Spec edited 3 times, to generation 6"; without who did it and of what. */
export function changeLabel(fact: ChangeFact): string {
  switch (fact.type) {
    case 'spec-edited': {
      const edits = fact.generation - fact.from;
      const often = edits > 1 ? ` ${edits} times,` : ',';
      return `Spec edited${often} to generation ${fact.generation}`;
    }
    case 'suspended':
      return `Suspended by ${fact.field}`;
    case 'resumed':
      return `Resumed: ${fact.field} no longer suspends it`;
    case 'revision':
      return revisionLabel(fact.from, fact.to);
    case 'created':
      return 'Created';
    case 'deletion-asked':
      return 'Deletion asked for';
    case 'deleted':
      return 'Deleted';
    case 'exemption-added':
      return `Weakened: ${exemptionTitle[fact.kind].toLowerCase()}, by ${fact.field}`;
    case 'exemption-removed':
      return `No longer weakened: ${exemptionTitle[fact.kind].toLowerCase()}, by ${fact.field}`;
    case 'controller-version':
      return `${fact.name} ${fact.from} → ${fact.to}`;
    case 'controller-restarted':
      return `${fact.name} restarted: its lease changed hands`;
    case 'package-revision':
      return `${fact.package.slice(fact.package.lastIndexOf('/') + 1)} ${fact.from} → ${fact.to}`;
    case 'kubernetes-version':
      return `Kubernetes ${fact.from} → ${fact.to}`;
  }
}

function revisionLabel(from: string | null, to: string | null): string {
  if (to === null) return from === null ? 'No revision' : `Revision ${shortRevision(from)} → none`;
  return from === null
    ? `First revision ${shortRevision(to)}`
    : `Revision ${shortRevision(from)} → ${shortRevision(to)}`;
}

/** The field manager who did it; null where nobody is named. */
export function changeHand(fact: ChangeFact): string | null {
  return 'by' in fact ? fact.by : null;
}
