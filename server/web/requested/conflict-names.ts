import type { NameParameter } from '#lib/api/not-there.ts';
import type { Conflict } from '#lib/domain/observation/conflict.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { namesFrom, namesIn, type Names } from './not-there.ts';

/** Names in conflicts: all that can be in the fleet, and what is managed twice, which need not be watched, with its managers. */
export function namesOfConflicts(fleet: readonly KnownCluster[]): Names {
  const watched = namesIn(fleet);
  return namesFrom(function* (parameter) {
    yield* watched.all(parameter);
    for (const { toldConflicts } of fleet) for (const conflict of toldConflicts) yield* namesOf(conflict, parameter);
  });
}

function* namesOf({ resource, owners }: Conflict, parameter: NameParameter): Generator<string> {
  switch (parameter) {
    case 'group':
    case 'name':
    case 'namespace':
      yield resource[parameter];
      break;
    case 'kind':
      yield resource.kind;
      for (const { ref } of owners) if (ref !== null) yield ref.kind;
      break;
    case 'by':
      for (const { name } of owners) yield name;
      break;
    case 'cluster':
    case 'label':
    case 'reconciler':
  }
}
