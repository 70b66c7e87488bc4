// Where messages are not kept, no word of a reconciler's reaches the record: it may name what nobody else may see.
import { expect, it } from 'vitest';
import { startBed, type Bed } from '../testing/bed.ts';
import { observedEvent } from '../../reconcilers/testing.ts';
import { withoutWords } from './reasons-only.ts';
import { kinds, kustomizationSpec, offering, ready, revision } from '../testing/objects.ts';

const { gitRepository, helmRelease, kustomization } = kinds;
const canary = 'a canary that sings';

function said(status: string, reason: string, bed: Bed, part: object = {}): object {
  return { ...ready(status, reason, bed.clock.now()), message: canary, ...part };
}

/** Record of objects that fail, were found to differ, and are busy after they failed. */
function recorded(keepMessages: boolean): string {
  const bed = startBed(null, undefined, undefined, undefined, keepMessages);
  const drifted = said('True', 'DriftDetected', bed, { type: 'Drifted' });
  const fetchFailed = said('True', 'GitOperationFailed', bed, { type: 'FetchFailed' });
  const trying = [said('Unknown', 'Progressing', bed), fetchFailed];
  bed.open([
    [
      gitRepository,
      bed.object(gitRepository, 'control', offering(bed.clock.now(), revision('a'))),
      bed.object(gitRepository, 'busy', {
        spec: { interval: '1m', url: 'https://git.example.org/acme/other.git' },
        status: { observedGeneration: 1, conditions: trying },
      }),
    ],
    [
      kustomization,
      bed.object(kustomization, 'failing', {
        spec: kustomizationSpec('control'),
        status: { observedGeneration: 1, conditions: [said('False', 'BuildFailed', bed)] },
      }),
    ],
    [
      helmRelease,
      bed.object(helmRelease, 'drifted', {
        spec: { interval: '10m', driftDetection: { mode: 'warn' } },
        status: { observedGeneration: 1, conditions: [said('True', 'UpgradeSucceeded', bed), drifted] },
      }),
      bed.object(helmRelease, 'unmeasured', {
        spec: { interval: '10m', driftDetection: { mode: 'warn' } },
        status: { observedGeneration: 1, conditions: [said('Unknown', 'DriftUnknown', bed, { type: 'Drifted' })] },
      }),
    ],
  ]);
  correctOne(bed);
  bed.pass(20_000);
  bed.model.stop();
  return JSON.stringify(bed.batches);
}

/** Lets helm-controller say that it has corrected a drift of the release `drifted`. */
function correctOne(bed: Bed): void {
  const about = { group: helmRelease.group, kind: helmRelease.kind, namespace: 'flux-system', name: 'drifted' };
  const message = `Cluster state has been corrected: ${canary}\nConfigMap/apps/drifty configured`;
  const event = observedEvent({ about, reason: 'DriftCorrected', message, lastAt: bed.clock.now() });
  bed.model.take({ type: 'event', at: bed.clock.now(), event });
}

/** The messages in a record, but for empty ones. */
function messagesIn(record: string): readonly (string | undefined)[] {
  return [...record.matchAll(/"message":"([^"]+)"/g)].map(([, message]) => message);
}

it('every message is empty where none is kept', () => {
  const record = recorded(false);
  for (const name of ['failing', 'drifted', 'busy']) expect(record).toContain(`"name":"${name}"`);
  expect(messagesIn(record)).toEqual([]);
  expect(record).not.toContain(canary);
  expect(record).toContain('"said":"ConfigMap/apps/drifty configured"');
});

it('messages are there where they are kept', () => {
  expect(messagesIn(recorded(true))).toContain(canary);
});

it.each([
  [
    'Deployment/apps/orders configured\nConfigMap/apps/x created\n',
    'Deployment/apps/orders configured\nConfigMap/apps/x created',
  ],
  [
    '(combined from similar events): ConfigMap/apps/x configured',
    '(combined from similar events): ConfigMap/apps/x configured',
  ],
  ['Namespace/apps configured', 'Namespace/apps configured'],
  ['password=x ConfigMap/apps/x configured', ''],
  ['ConfigMap/apps/x configured with password x', ''],
])('of the Event %j only names are kept', (message, kept) => {
  expect(withoutWords(observedEvent({ message })).message).toBe(kept);
});
