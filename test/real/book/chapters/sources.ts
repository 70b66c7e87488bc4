import { minute } from '#lib/domain/time/length.ts';
import { configMapFile, directory } from '../../fixtures/control-files.ts';
import { gitRepository, kustomization } from '../../fixtures/manifests.ts';
import type { Subject } from '../../harness/plumbline.ts';
import {
  applies,
  commits,
  gitRepositoryAt,
  inTurn,
  kustomizationAt,
  merges,
  notes,
  removes,
  untilNoted,
  waits,
} from '../deeds.ts';
import { began, condition, failedFor, firstWrite, writeOf } from '../checks/began.ts';
import { type Expected, firstOf, isOneIncident, isOver, only, seenHome } from '../checks/incidents.ts';
import { isGone, says } from '../checks/says.ts';
import type { Chapter, Stage } from '../situation.ts';
import { gitRepositoryOf, kustomizationOf, staysConverged } from '../subjects.ts';

/** A source that fails makes its appliers blind after max(3 intervals, 5 min). */
const blindAfter = 5 * minute;

/** A GitRepository whose repository is of its own name. */
async function follows(stage: Stage, name: string, spec = {}): Promise<void> {
  await stage.bed.alpha.admin.apply(gitRepository(name, stage.bed.gitUrl(name), spec));
}

/** Points a GitRepository to a repository that does not exist, and notes when. */
function breaks(name: string) {
  return inTurn(notes(`${name} broken`), (stage) =>
    stage.bed.alpha.admin.merge(gitRepositoryAt(name), { spec: { url: stage.bed.gitUrl('gone') } }),
  );
}

/** The incident that a source makes which breaks; others may lie beneath it. */
function incidentOf(name: string, ...beneath: readonly Subject[]): Expected {
  const source = gitRepositoryOf('alpha', name);
  return {
    title: `${name} on alpha`,
    cause: `object GitRepository/${name}`,
    since: `${name} broken`,
    began: firstOf([source], condition('Ready', 'False')),
    members: only(source, ...beneath),
  };
}

const otherBroke = incidentOf('other', kustomizationOf('alpha', 'on-other'));

async function rewritesMoving(stage: Stage): Promise<void> {
  const moving = await stage.bed.repository('moving');
  const sha = await moving.rewrite('Rewritten', {
    'clusters/production/moving/configmap.yaml': configMapFile('moving', 'rewritten'),
  });
  stage.notes.set('moving rewritten', sha);
}

/** Sources that break, move, vanish and are switched off. */
export const sources: Chapter = {
  name: 'sources',
  title: 'Sources',
  situations: [
    {
      name: 'a source breaks under an applier that is Ready',
      within: 60_000,
      act: breaks('other'),
      checks: [
        says(gitRepositoryOf('alpha', 'other'), {
          verdict: 'diverged',
          reason: 'GitOperationFailed',
          rootCause: null,
          commit: 'first other',
          away: true,
        }),
        began(gitRepositoryOf('alpha', 'other'), condition('Ready', 'False')),
        says(kustomizationOf('alpha', 'on-other'), { verdict: 'converged', commit: 'first other', rootCause: null }),
        isOneIncident(incidentOf('other')),
      ],
      never: [staysConverged(kustomizationOf('alpha', 'on-other'))],
    },
    {
      name: 'a source that is pinned to a commit',
      within: 90_000,
      act: inTurn(
        commits('pinned', 'pinned', 'Bring up what is pinned', directory('pinned')),
        async (stage) => follows(stage, 'pinned', { ref: { commit: stage.notes.get('pinned') } }),
        applies('alpha', kustomization('pinned', 'pinned')),
      ),
      checks: [
        says(gitRepositoryOf('alpha', 'pinned'), { verdict: 'converged', commit: 'pinned', exemptions: [] }),
        says(kustomizationOf('alpha', 'pinned'), { verdict: 'converged', commit: 'pinned' }),
      ],
    },
    {
      name: 'its server goes: what is pinned misses nothing',
      within: 60_000,
      act: breaks('pinned'),
      checks: [
        says(gitRepositoryOf('alpha', 'pinned'), { verdict: 'diverged', reason: 'GitOperationFailed' }),
        says(kustomizationOf('alpha', 'pinned'), { verdict: 'converged', commit: 'pinned' }),
      ],
      never: [staysConverged(kustomizationOf('alpha', 'pinned'))],
    },
    {
      name: 'a source and its applier are born',
      within: 90_000,
      act: inTurn(
        commits('moving', 'moving', 'Bring up what moves', directory('moving')),
        (stage) => follows(stage, 'moving'),
        applies('alpha', kustomization('moving', 'moving')),
      ),
      checks: [
        says(gitRepositoryOf('alpha', 'moving'), { verdict: 'converged', commit: 'moving' }),
        says(kustomizationOf('alpha', 'moving'), {
          verdict: 'converged',
          commit: 'moving',
          source: 'GitRepository/moving',
        }),
      ],
      never: [{ subject: kustomizationOf('alpha', 'moving'), verdicts: ['stale', 'unobserved', 'drifted', 'behind'] }],
    },
    {
      name: 'the branch is rewritten by force',
      within: 90_000,
      act: rewritesMoving,
      checks: [
        says(gitRepositoryOf('alpha', 'moving'), { verdict: 'converged', commit: 'moving rewritten' }),
        says(kustomizationOf('alpha', 'moving'), {
          verdict: 'converged',
          commit: 'moving rewritten',
          applied: 'moving rewritten',
          offered: 'moving rewritten',
          drift: 'none',
        }),
      ],
      never: [staysConverged(kustomizationOf('alpha', 'moving'))],
    },
    {
      name: 'a Kustomization is moved to another source',
      within: 60_000,
      act: merges('alpha', kustomizationAt('moving'), {
        spec: { sourceRef: { name: 'quiet' }, path: './clusters/production/spare-too' },
      }),
      checks: [
        says(kustomizationOf('alpha', 'moving'), {
          verdict: 'converged',
          commit: 'first quiet',
          source: 'GitRepository/quiet',
          path: 'clusters/production/spare-too',
        }),
      ],
      never: [
        {
          subject: kustomizationOf('alpha', 'moving'),
          verdicts: ['diverged', 'stale', 'drifted', 'waiting', 'behind'],
        },
      ],
    },
    {
      name: 'it is moved back',
      within: 60_000,
      act: merges('alpha', kustomizationAt('moving'), {
        spec: { sourceRef: { name: 'moving' }, path: './clusters/production/moving' },
      }),
      checks: [
        says(kustomizationOf('alpha', 'moving'), {
          verdict: 'converged',
          commit: 'moving rewritten',
          source: 'GitRepository/moving',
        }),
      ],
    },
    {
      name: 'its source is deleted under it',
      within: 90_000,
      act: removes('alpha', gitRepositoryAt('moving')),
      checks: [
        isGone(gitRepositoryOf('alpha', 'moving')),
        says(kustomizationOf('alpha', 'moving'), {
          verdict: 'diverged',
          reason: 'ArtifactFailed',
          commit: 'moving rewritten',
          away: true,
        }),
      ],
    },
    {
      name: 'the source is there again',
      within: 90_000,
      act: (stage) => follows(stage, 'moving'),
      checks: [
        says(gitRepositoryOf('alpha', 'moving'), { verdict: 'converged', commit: 'moving rewritten' }),
        says(kustomizationOf('alpha', 'moving'), { verdict: 'converged', commit: 'moving rewritten', rootCause: null }),
      ],
    },
    {
      name: 'a source is suspended, and a commit arrives',
      within: 60_000,
      act: inTurn(
        merges('alpha', gitRepositoryAt('moving'), { spec: { suspend: true } }),
        commits('moving', 'while suspended', 'Commit while the source is off', {
          'clusters/production/moving/configmap.yaml': configMapFile('moving', 'while suspended'),
        }),
        waits(15_000),
      ),
      checks: [
        says(gitRepositoryOf('alpha', 'moving'), {
          verdict: 'suspended',
          was: 'converged',
          commit: 'moving rewritten',
          guarantee: 'off',
        }),
        began(gitRepositoryOf('alpha', 'moving'), firstWrite),
        says(kustomizationOf('alpha', 'moving'), {
          verdict: 'unconfirmed',
          rootCause: 'GitRepository/moving',
          commit: 'moving rewritten',
          guarantee: 'unknown',
        }),
        began(kustomizationOf('alpha', 'moving'), writeOf(gitRepositoryOf('alpha', 'moving'))),
      ],
      never: [staysConverged(kustomizationOf('alpha', 'base'))],
    },
    {
      name: 'the source is resumed',
      within: 60_000,
      act: merges('alpha', gitRepositoryAt('moving'), { spec: { suspend: false } }),
      checks: [
        says(gitRepositoryOf('alpha', 'moving'), { verdict: 'converged', commit: 'while suspended' }),
        says(kustomizationOf('alpha', 'moving'), { verdict: 'converged', commit: 'while suspended', rootCause: null }),
      ],
    },
    {
      name: 'a source has failed for longer than max(3 intervals, 5 min)',
      within: blindAfter + 60_000,
      checks: [
        says(kustomizationOf('alpha', 'on-other'), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'GitRepository/other',
          commit: 'first other',
          away: true,
        }),
        began(
          kustomizationOf('alpha', 'on-other'),
          failedFor(gitRepositoryOf('alpha', 'other'), 'other broken', blindAfter),
        ),
        says(gitRepositoryOf('alpha', 'other'), { verdict: 'diverged', reason: 'GitOperationFailed', rootCause: null }),
        isOneIncident(otherBroke),
      ],
      never: [{ subject: kustomizationOf('alpha', 'on-other'), verdicts: ['diverged', 'unobserved', 'drifted'] }],
    },
    {
      name: 'the source is mended: the incident is over with its applier',
      within: 120_000,
      act: (stage) => follows(stage, 'other'),
      checks: [
        says(gitRepositoryOf('alpha', 'other'), { verdict: 'converged', commit: 'first other', rootCause: null }),
        says(kustomizationOf('alpha', 'on-other'), { verdict: 'converged', commit: 'first other', rootCause: null }),
        isOver(
          otherBroke,
          ['converged'],
          seenHome(gitRepositoryOf('alpha', 'other'), kustomizationOf('alpha', 'on-other')),
        ),
      ],
    },
    {
      name: 'a pinned source has failed for as long: its applier misses nothing',
      within: 120_000,
      act: untilNoted('pinned broken', blindAfter + 10_000),
      checks: [
        says(gitRepositoryOf('alpha', 'pinned'), { verdict: 'diverged', reason: 'GitOperationFailed' }),
        says(kustomizationOf('alpha', 'pinned'), { verdict: 'converged', rootCause: null, away: false }),
      ],
      never: [staysConverged(kustomizationOf('alpha', 'pinned'))],
    },
  ],
};
