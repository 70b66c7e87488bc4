import { lastMomentReceived } from '#lib/domain/time/api-time.ts';
import type { Observation, UndoneDrift } from '#lib/domain/observation/observation.ts';
import { redact } from '#lib/domain/observation/redact.ts';
import { at, booleanAt, listAt, timeAt } from '#lib/foreign.ts';
import { messageAt, nameAt, reasonAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { hour } from '#lib/domain/time/length.ts';
import type { CorrectionStep } from '../adapter.ts';
import { corrected, noCorrections, type CorrectionMemory } from '../correction-run.ts';

const namesListed = 10;
/** Time before it was first seen (ms) beyond which what was undone belongs to a time when nobody looked. */
const countedBefore = hour;

/**
 * True if an operation heals drift: it was started by the controller itself, at a revision that was synced before. Only then does it
 * name the resources that differ (controller/appcontroller.go autoSync).
 */
function heals(operation: unknown): boolean {
  const automated = booleanAt(operation, 'initiatedBy', 'automated') === true;
  return automated && listAt(operation, 'sync', 'resources').length > 0;
}

/** Names of at most ten resources, and how many more there are: "ConfigMap/a, Deployment/b". */
export function namesOf(resources: readonly unknown[]): string {
  const names = resources
    .slice(0, namesListed)
    .map((one) => redact(`${nameAt(one, 'kind') ?? ''}/${nameAt(one, 'name') ?? ''}`, 128));
  const more = resources.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The resources that were found to differ and that self-heal is about to sync, or syncs now; null where it does neither. */
export function resourcesInHealing(object: unknown): readonly unknown[] | null {
  // It stands there from when it is asked for until it has ended.
  const operation = at(object, 'operation');
  return heals(operation) ? listAt(operation, 'sync', 'resources') : null;
}

/** Words of kubectl about a resource that it changed. With server-side apply it does not say whether it did. */
const changed = /(?:created|configured|pruned)$/;

/**
 * Resources that a sync may have changed, as Flux words its corrections, which `correctedResources` reads: "ConfigMap/apps/web configured,
 * Service/apps/web created". Right after a sync Argo CD may compare with what it remembers from before it, and heal what never
 * differed: kubectl then says "configmap/web unchanged", and that is left out.
 */
function touchedResources(state: unknown): readonly string[] {
  return listAt(state, 'syncResult', 'resources')
    .filter((one) => unkeptTextAt(one, 'message')?.endsWith(' unchanged') !== true)
    .slice(0, namesListed)
    .map((one) => {
      const names = ['kind', 'namespace', 'name']
        .map((field) => nameAt(one, field) ?? '')
        .filter((name) => name !== '');
      const [deed = 'synced'] = changed.exec(messageAt(one, 'message') ?? '') ?? [];
      return redact(`${names.join('/')} ${deed}`, 256);
    });
}

/** The drift that the last operation undid; null where that was another operation, did not end well, or changed nothing. */
export function undoneBySelfHeal(object: unknown): UndoneDrift | null {
  const state = at(object, 'status', 'operationState');
  if (reasonAt(state, 'phase') !== 'Succeeded' || !heals(at(state, 'operation'))) return null;
  const ended = timeAt(state, 'finishedAt');
  const touched = touchedResources(state);
  if (ended === null || touched.length === 0) return null;
  const id = `${nameAt(state, 'startedAt') ?? ''} ${nameAt(state, 'finishedAt') ?? ''}`.slice(0, 80);
  return { id, at: ended, said: touched.join(', '), isSure: touched.some((one) => changed.test(one)) };
}

/**
 * The correction that an Application tells of: drift that self-heal undid by its last operation, after which it was found to be
 * Synced. Each operation is told once. `now` is ms since the epoch.
 */
export function selfHealCorrections(
  memory: CorrectionMemory | null,
  observation: Observation | null,
  now: number,
): CorrectionStep {
  const before = memory ?? noCorrections;
  const undone = observation?.drift.drift === 'none' ? observation.drift.undone : undefined;
  if (observation === null || undone === undefined || before.series.some(({ uid }) => uid === undone.id))
    return { memory: before, correction: null };
  const known = { ...before, series: [{ uid: undone.id, count: 1, at: undone.at }] };
  if (memory === null && undone.at < now - countedBefore) return { memory: known, correction: null };
  const certainty = undone.isSure ? 'confirmed' : 'probable';
  const found = { at: lastMomentReceived(undone.at, now), said: undone.said, count: 1, certainty } as const;
  return corrected(known, found, observation.cadence.interval);
}
