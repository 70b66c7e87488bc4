import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Cadence, Suspension } from '#lib/domain/observation/observation.ts';
import { addRarePasses, exemptionList, type ExemptionList } from '../exemption-list.ts';
import { referenceOf } from './source-target.ts';
import { suspensionMeaning } from './suspension.ts';

/** Exemptions of whatever stands on a source, by its spec (docs/exemptions.md). */
export function sourceExemptions(
  object: unknown,
  kind: string,
  suspended: Suspension | null,
  cadence: Cadence,
): readonly Exemption[] {
  const list = exemptionList(object, null);
  list.addSuspension(suspended, suspensionMeaning);
  addRarePasses(list, cadence.interval, 'what is new may go unnoticed');
  addReference(list, object, kind);
  list.addFilled('files-left-out', [['ignore']], 'some files do not arrive');
  return list.found;
}

/**
 * A reference that moves without a commit that says so: a tag, a range, latest, a bucket. To follow a branch is what git
 * operations are, yet a push of force takes a commit away that runs: a kind of its own. The index of a HelmRepository moves
 * nothing: the version of the chart does.
 */
function addReference(list: ExemptionList, object: unknown, kind: string): void {
  const reference = kind === 'HelmRepository' ? null : referenceOf(object, kind);
  if (reference === null || !reference.floating) return;
  const path = reference.path ?? ['spec', kind === 'HelmChart' ? 'version' : 'ref'];
  if (reference.text.startsWith('branch ') || reference.text.startsWith('name refs/heads/'))
    list.add('branch-reference', path, `whoever pushes to ${reference.text} says what runs`);
  else if (kind === 'Bucket')
    list.add('floating-reference', ['spec', 'bucketName'], 'no commit says what a bucket holds');
  else list.add('floating-reference', path, `${reference.text} may name other content tomorrow`);
}
