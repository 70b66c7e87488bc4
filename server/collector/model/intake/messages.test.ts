// Where messages are not kept, no word of a reconciler's reaches the record: it may name what nobody else may see.
import { expect, it } from 'vitest';
import { startBed, type Bed } from '../testing/bed.ts';
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
    ],
  ]);
  bed.pass(20_000);
  bed.model.stop();
  return JSON.stringify(bed.batches);
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
});

it('messages are there where they are kept', () => {
  expect(messagesIn(recorded(true))).toContain(canary);
});
