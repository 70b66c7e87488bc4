import { setTimeout as pause } from 'node:timers/promises';
import { type ForeignObject, textAt } from '#lib/foreign.ts';
import type { Changes } from '../harness/control-repository.ts';
import type { Manifest, Place } from '../harness/kube-client.ts';
import type { Subject } from '../harness/plumbline.ts';
import { mustCome } from '../harness/until.ts';
import { noteOf, type Stage } from './situation.ts';
import { titleOf } from './subjects.ts';

/** Deed of a situation. */
type Deed = (stage: Stage) => Promise<void>;

/** Does one after the other. */
export function inTurn(...deeds: readonly Deed[]): Deed {
  return async (stage) => {
    for (const deed of deeds) await deed(stage);
  };
}

/** Commits to a repository and notes the commit under a name. */
export function commits(repository: string, note: string, subject: string, changes: Changes, author?: string): Deed {
  return async (stage) => {
    const sha = await (await stage.bed.repository(repository)).commit(subject, changes, author);
    stage.notes.set(note, sha);
  };
}

/** Lets so much time pass (ms): what must stay as it is must not only look so at first. */
export function waits(time: number): Deed {
  return () => pause(time);
}

/** Waits until so much (ms) has passed since a time that was noted. */
export function untilNoted(name: string, after: number): Deed {
  return (stage) => pause(Math.max(0, Number(noteOf(stage, name)) + after - Date.now()));
}

/** Notes the time. */
export function notes(name: string): Deed {
  return async (stage) => void stage.notes.set(name, String(Date.now()));
}

/** Waits until a Kustomization has tried a noted commit, as the witness saw it. */
export function untilTried(subject: Subject, note: string): Deed {
  return untilAt(subject, 'lastAttemptedRevision', note);
}

/** Waits until a Kustomization runs a noted commit, as the witness saw it. */
export function untilApplied(subject: Subject, note: string): Deed {
  return untilAt(subject, 'lastAppliedRevision', note);
}

function untilAt(subject: Subject, field: string, note: string): Deed {
  return async (stage) => {
    const commit = noteOf(stage, note);
    const isThere = (): true | null =>
      (textAt(stage.witness.last(subject)?.object, 'status', field) ?? '').endsWith(commit) ? true : null;
    await mustCome(`${field} "${note}" of ${titleOf(subject)}`, isThere, 60_000);
  };
}

/** Applies manifests to a cluster as an administrator's pipeline would. */
export function applies(cluster: 'alpha' | 'beta', ...manifests: readonly Manifest[]): Deed {
  return async (stage) => {
    for (const manifest of manifests) await stage.bed[cluster].admin.apply(manifest);
  };
}

/** Merges a patch into an object of a cluster. */
export function merges(cluster: 'alpha' | 'beta', place: Place, patch: ForeignObject): Deed {
  return (stage) => stage.bed[cluster].admin.merge(place, patch);
}

/** Deletes an object of a cluster. */
export function removes(cluster: 'alpha' | 'beta', place: Place): Deed {
  return (stage) => stage.bed[cluster].admin.remove(place);
}

/** Somebody with kubectl: `byHand('alpha', 'patch', 'configmap', ...)`. */
export function byHand(cluster: 'alpha' | 'beta', ...args: readonly string[]): Deed {
  return async (stage) => void (await stage.bed.kubectl(stage.bed[cluster], args));
}

/** Somebody edits the value of a ConfigMap of namespace apps on alpha by hand. */
export function editsValue(configMap: string, value = 'by hand'): Deed {
  const patch = JSON.stringify({ data: { value } });
  return byHand('alpha', '-n', 'apps', 'patch', 'configmap', configMap, '--type=merge', '-p', patch);
}

/** Kills processes of the bed at once (SIGKILL); they stay down. */
export function kills(...controllers: readonly string[]): Deed {
  return async (stage) => {
    await Promise.all(controllers.map((name) => stage.bed.controller(name).kill()));
  };
}

/** Sends a signal to a process of the bed: SIGSTOP for one that hangs. */
export function signals(signal: 'SIGSTOP' | 'SIGCONT', controller: string): Deed {
  return async (stage) => stage.bed.controller(controller).signal(signal);
}

/** Starts processes of the bed again. */
export function revives(...controllers: readonly string[]): Deed {
  return async (stage) => {
    for (const name of controllers) stage.bed.controller(name).start();
  };
}

/** The place of a Kustomization of flux-system. */
export function kustomizationAt(name: string): Place {
  return { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', namespace: 'flux-system', name };
}

/** The place of a GitRepository of flux-system. */
export function gitRepositoryAt(name: string): Place {
  return { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', namespace: 'flux-system', name };
}

/** The place of a HelmRelease of namespace apps. */
export function helmReleaseAt(name: string): Place {
  return { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', namespace: 'apps', name };
}

/** The place of a NopResource of namespace apps. */
export function nopResourceAt(name: string): Place {
  return { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', namespace: 'apps', name };
}
