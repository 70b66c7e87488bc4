import { hash } from 'node:crypto';
import { controllerOfLease, leaseOfController } from '../../reconcilers/registry.ts';

const suffix = '-leader-election';
const crossplanePrefix = 'crossplane-leader-election-';

/** Whose lease it is, by its name; `hash` of the label selector where the controller takes a part of all objects only. */
export interface LeaseOwner {
  readonly controller: string;
  readonly hash: string | null;
  /** A provider of Crossplane: its lease is named by its authors, its pod by the revision that it runs. */
  readonly isProvider: boolean;
}

/** The controller behind a lease: one that an adapter names, or kustomize-controller-leader-election; null where it is none of ours. */
export function ownerOfLease(lease: string): LeaseOwner | null {
  const named = controllerOfLease(lease);
  if (named !== null) return { controller: named, hash: null, isProvider: false };
  if (lease === `${crossplanePrefix}rbac`)
    return { controller: 'crossplane-rbac-manager', hash: null, isProvider: false };
  if (lease.startsWith(crossplanePrefix))
    return { controller: lease.slice(crossplanePrefix.length), hash: null, isProvider: true };
  if (lease.endsWith(suffix)) return { controller: lease.slice(0, -suffix.length), hash: null, isProvider: false };
  const [, controller, ofSelector] = /^(.+)-leader-election-([0-9a-f]{8})$/.exec(lease) ?? [];
  return controller === undefined || ofSelector === undefined
    ? null
    : { controller, hash: ofSelector, isProvider: false };
}

/** Suffix that Flux's controllers append to the name of their lease for a label selector: fluxcd/pkg runtime/leaderelection GenerateID. */
export function selectorHash(selector: string): string {
  return hash('sha256', selector).slice(0, 8);
}

/** The lease that a controller with this label selector ('' for none) holds; null where it is known to hold none. */
export function leaseNameOf(controller: string, selector: string): string | null {
  const name = leaseOfController(controller);
  if (name === null || selector === '') return name;
  return `${name}-${selectorHash(selector)}`;
}

/** The Deployment behind a pod's name, which is "<deployment>-<hash>-<five characters>"; null where it is no such name. */
export function deploymentOfPod(pod: string): string | null {
  return /^(.+)-[0-9a-z]+-[0-9a-z]{5}$/.exec(pod)?.[1] ?? null;
}
