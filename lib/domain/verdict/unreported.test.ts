import { describe, expect, it } from 'vitest';
import { asKnownAt } from './as-known-at.ts';
import { groupCauses } from '../cause/cause-group.ts';
import { defaultPolicy, guaranteeOf } from '../guarantee/guarantee.ts';
import { judge } from './judge.ts';
import { alone } from './subject.ts';
import { around, bad, noon, observed, recorded, seenCluster, source, standing, tracked } from '../testing/observed.ts';
import { minute } from '../time/length.ts';

const why = 'Terraform runs only when somebody runs it';
const stack = observed({
  ref: { cluster: 'c1', group: 'declared', kind: 'Stack', namespace: '', name: 'legacy-vpc' },
  reconciler: 'none',
  role: 'declared',
  summary: { said: 'unreported', why },
  drift: { drift: 'not-measured', why },
  passes: { seenBy: 'none', last: null, total: null },
  controller: null,
});

describe('what no loop reports on', () => {
  it('is unobserved, and says why', () => {
    expect(judge({ track: tracked(stack) }, alone, defaultPolicy, noon)).toMatchObject({
      verdict: 'unobserved',
      was: null,
      reason: 'NoLoop',
      sentence: `No loop reports on this: ${why}.`,
      rootCause: null,
      drift: 'not-measured',
      confirmation: 'none',
      reviewAt: null,
      evidence: expect.arrayContaining([{ from: 'field', text: 'declared under stacks in plumbline.yaml', at: null }]),
    });
  });

  const object = recorded({ ref: stack.ref, role: 'declared', verdict: 'unobserved', validUntil: null });

  it.each([noon, noon + 1_000 * minute])('stays so, with its own reason, whoever has died (%#)', (now) => {
    for (const cluster of [null, seenCluster(), seenCluster({ state: 'unreachable' })])
      expect(asKnownAt(object, cluster, now)).toBe(object);
  });

  it('is counted apart, and is the fault of nothing', () => {
    expect(guaranteeOf(object, defaultPolicy, noon)).toBe('declared');
    expect(groupCauses([object])).toEqual([]);
  });
});

describe('what waits for an approval', () => {
  const planned = observed({
    ref: { ...observed().ref, group: 'infra.contrib.fluxcd.io', kind: 'Terraform' },
    reconciler: 'terraform',
    summary: bad('approval', 'TerraformPlannedWithChanges'),
    passes: { seenBy: 'writes', last: null, total: null },
    revisions: { ...observed().revisions, applied: 'main@sha1:0', attempted: 'main@sha1:1' },
  });

  it('is waiting, at first sight and a week later: its loop makes no pass meanwhile, and nobody is late', () => {
    for (const now of [noon, noon + 7 * 24 * 60 * minute]) {
      const offered = standing(source(), 'converged', { artifactSince: noon - 60 * minute });
      expect(judge({ track: tracked(planned) }, around({ source: offered }), defaultPolicy, now)).toMatchObject({
        verdict: 'waiting',
        reason: 'TerraformPlannedWithChanges',
        sentence: expect.stringMatching(
          /^What Terraform checkout has planned at .* waits until somebody approves it\./,
        ),
      });
    }
  });
});
