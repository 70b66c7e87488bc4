import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { at } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { exemptionList } from '../exemption-list.ts';
import { fluxObservation, fluxSuspension, sourceReference } from './shared-fields.ts';
import { summaryOfReady } from './status-summary.ts';

export const imageGroup = 'image.toolkit.fluxcd.io';
export const notificationGroup = 'notification.toolkit.fluxcd.io';

/** Whose loop turns for a helper. */
const controllers: { readonly [kind: string]: string } = {
  ImageRepository: 'image-reflector-controller',
  ImagePolicy: 'image-reflector-controller',
  ImageUpdateAutomation: 'image-automation-controller',
  Receiver: 'notification-controller',
};

/** Meaning for the guarantee of a helper that is switched off. */
const meanings: { readonly [kind: string]: string } = {
  ImageRepository: 'new images are not looked for',
  ImagePolicy: 'no image is chosen',
  ImageUpdateAutomation: 'chosen images are not written to git',
  Receiver: 'webhooks are not heard: changes arrive only with the interval',
};

/**
 * Kinds that apply nothing and have a loop of their own: ImageRepository, ImagePolicy, ImageUpdateAutomation and Receiver.
 * Their dates (lastScanResult, lastAutomationRunTime) need not be stamped by each pass, so they live by the Lease of their
 * controller. Source: image-reflector-controller, image-automation-controller and notification-controller, api/v1.
 */
export function observeHelper(object: unknown, context: AdapterContext): Observation {
  const { kind } = context.kind;
  const suspended = fluxSuspension(object);
  const base = fluxObservation(object, context, ['flux', 'helper'], suspended, (conditions) =>
    summaryOfReady(conditions, kind === 'ImageRepository' ? 'fetch' : 'apply'),
  );
  const list = exemptionList(object, null);
  list.addSuspension(suspended, meanings[kind] ?? '');
  return {
    ...base,
    drift: { drift: 'not-measured', why: 'it applies nothing' },
    exemptions: [...base.exemptions, ...list.found],
    source: sourceReference(at(object, 'spec', 'sourceRef'), base.ref),
    dependsOn: scanned(object, base.ref),
    controller: controllers[kind] ?? null,
  };
}

/** spec.imageRepositoryRef of an ImagePolicy: what it chooses from. */
function scanned(object: unknown, own: ObjectRef): ObjectRef[] {
  const name = nameAt(object, 'spec', 'imageRepositoryRef', 'name');
  if (name === null) return [];
  const namespace = nameAt(object, 'spec', 'imageRepositoryRef', 'namespace') ?? own.namespace;
  return [{ ...own, kind: 'ImageRepository', namespace, name }];
}
