import type { WireChange } from '#lib/api/object.ts';
import type { ConflictKind } from '#lib/domain/observation/conflict.ts';
import type { Subject } from '../../harness/plumbline.ts';
import type { Check } from '../situation.ts';
import { titleOf } from '../subjects.ts';

/** One resource of a cluster ("ConfigMap/shared") is said to have these owners, by name, and no others. */
export function inConflict(cluster: string, kind: ConflictKind, resource: string, owners: readonly string[]): Check {
  const title = `conflicts of ${cluster}: ${resource}`;
  return {
    expects: `${title}: ${kind} of ${owners.join(' and ')}`,
    async find(stage) {
      const all = await stage.plumbline.conflicts();
      const found = all.filter(
        (one) => one.cluster === cluster && `${one.resource.kind}/${one.resource.name}` === resource,
      );
      const names = found.map(
        (one) =>
          `${one.kind} of ${one.owners
            .map(({ name }) => name)
            .toSorted()
            .join(' and ')}`,
      );
      const wanted = `${kind} of ${owners.toSorted().join(' and ')}`;
      return { fits: names.includes(wanted), got: `${title}: ${names.join('; ') || 'none'}` };
    },
  };
}

/** Checks for one line under the sentence for what it takes down, with at least so many objects beneath it. */
export function oneCause(title: string, objects: number, clusters = 1): Check {
  const name = `causes: ${title}`;
  return {
    expects: `${name}: one line, at least ${objects} objects on ${clusters} or more clusters`,
    async find(stage) {
      const found = (await stage.plumbline.causes()).filter((one) => one.title === title);
      return {
        fits: found.length === 1 && found.every((one) => one.objects >= objects && one.clusters >= clusters),
        got: `${name}: ${found.map((one) => `${one.objects} objects on ${one.clusters}, ${one.text}`).join('; ') || 'no line'}`,
      };
    },
  };
}

/** A change of an object is told since the act, with the field manager who made it. */
export function changed(subject: Subject, type: WireChange['type'], by: string): Check {
  return changeIsListed(`changes of ${titleOf(subject)}`, type, by, (change) => {
    const { ref } = change;
    return ref !== null && ref.kind === subject.kind && ref.name === subject.name && ref.cluster === subject.cluster;
  });
}

/** A change of a controller is told since the act. */
export function controllerChanged(cluster: string, name: string, type: WireChange['type']): Check {
  return changeIsListed(
    `changes of ${name} on ${cluster}`,
    type,
    null,
    (change) => change.cluster === cluster && change.ref === null && change.text.includes(name),
  );
}

function changeIsListed(
  title: string,
  type: WireChange['type'],
  by: string | null,
  fits: (change: WireChange) => boolean,
): Check {
  const words = (kind: string, who: string | null): string => `${kind}${who === null ? '' : ` by ${who}`}`;
  return {
    expects: `${title}: ${words(type, by)}`,
    async find(stage, since) {
      const changes = (await stage.plumbline.changes(since)).filter(fits);
      return {
        fits: changes.some((change) => change.type === type && (by === null || change.by === by)),
        got: `${title}: ${changes.map((change) => words(change.type, change.by)).join(', ') || 'none'}`,
      };
    },
  };
}
