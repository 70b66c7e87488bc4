import { configMapFile, directory, kustomizationFile } from '../../fixtures/control-files.ts';
import { gitRepository, kustomization } from '../../fixtures/manifests.ts';
import { commits, inTurn, notes, untilApplied, untilTried } from '../deeds.ts';
import { began, failedSince, left } from '../checks/began.ts';
import { accuses, absencesAre, keepsAccusing, type Line, notesAccusation } from '../checks/commit-ranges.ts';
import { pagesAgree, pagesAgreeOver } from '../checks/pages.ts';
import { says } from '../checks/says.ts';
import type { Chapter, Stage } from '../situation.ts';
import { kustomizationOf, staysConverged } from '../subjects.ts';

const repository = 'monorepo';
const payments = kustomizationOf('alpha', 'payments');
const neighbour = staysConverged(kustomizationOf('alpha', 'catalogue'));
const authors = ['Ben', 'Cleo', 'Dora', 'Emil', 'Fay'];

/** Every commit of the repository in its order; those called "other" touch neither Kustomization. */
const line: Line = [
  ...['monorepo begins', 'other 1', 'other 2', 'other 3', 'culprit 1', 'other 4', 'other 5', 'other 6', 'other 7'],
  ...['mend 1', 'culprit 2', 'other 8', 'mend 2', 'other 9', 'other 10'],
  ...['other 11', 'other 12', 'culprit 3', 'other 13', 'other 14', 'mend 3'],
];

type Deed = (stage: Stage) => Promise<void>;

/** Somebody commits elsewhere in the repository. */
function other(number: number): Deed {
  const service = `services/service-${number % 7}/values.yaml`;
  const author = authors[number % authors.length];
  return commits(repository, `other ${number}`, `Tune service ${number}`, { [service]: `step: ${number}\n` }, author);
}

/** A commit to payments: with a file that is not there, or without. */
function toPayments(note: string, ...resources: readonly string[]): Deed {
  const file = 'clusters/production/payments/kustomization.yaml';
  return commits(repository, note, `Payments: ${note}`, { [file]: kustomizationFile('configmap.yaml', ...resources) });
}

const breaks = (note: string): Deed => toPayments(note, `${note.replace(' ', '-')}.yaml`);
const mends = (note: string): Deed => toPayments(note);

/** Others commit, and each of their commits is applied before the next: passes that it takes to be home for good. */
function othersApplied(...numbers: readonly number[]): Deed {
  return inTurn(...numbers.map((number) => inTurn(other(number), untilApplied(payments, `other ${number}`))));
}

const arrives: Deed = inTurn(
  commits(repository, 'monorepo begins', 'Bring up the monorepo', {
    ...directory('payments'),
    ...directory('catalogue'),
    'services/shared.yaml': configMapFile('nobody-applies-it', 'first'),
  }),
  async ({ bed }) => {
    for (const manifest of [
      gitRepository(repository, bed.gitUrl(repository), { interval: '3s' }),
      kustomization('payments', repository, { interval: '1m' }),
      kustomization('catalogue', repository, { interval: '1m' }),
    ])
      await bed.alpha.admin.apply(manifest);
  },
  untilApplied(payments, 'monorepo begins'),
  othersApplied(1, 2),
);

const failing = { verdict: 'diverged', reason: 'BuildFailed', rootCause: null, away: true } as const;
const home = { verdict: 'converged', rootCause: null, away: false } as const;
const first = { culprit: 'culprit 1', open: true };
const overFirst = { ...first, open: false };

/** One path of a repository in which many commit fails, is mended, and fails again. */
export const flapping: Chapter = {
  name: 'flapping',
  title: 'A repository of many authors, and what flaps in it',
  situations: [
    {
      name: 'two Kustomizations of a repository to which many commit',
      within: 150_000,
      act: arrives,
      checks: [says(payments, { ...home, commit: 'other 2' })],
    },
    {
      name: 'a bad commit to one path among those of others, before and after it',
      within: 60_000,
      act: inTurn(notes('calm'), other(3), breaks('culprit 1'), other(4), other(5)),
      checks: [
        says(payments, { ...failing, attempted: 'other 5' }),
        accuses(payments, line, 'culprit 1'),
        began(payments, failedSince('calm')),
        left(payments, failedSince('calm')),
        absencesAre(payments, 'calm', line, [first]),
        pagesAgree(payments),
      ],
      never: [neighbour],
    },
    {
      name: 'others go on committing while it fails: what it broke between stays',
      within: 60_000,
      act: inTurn(
        notesAccusation(payments, 'the first accusation'),
        ...[6, 7].map((number) => inTurn(other(number), untilTried(payments, `other ${number}`))),
      ),
      checks: [
        says(payments, { ...failing, attempted: 'other 7' }),
        keepsAccusing(payments, 'the first accusation'),
        accuses(payments, line, 'culprit 1'),
        left(payments, failedSince('calm')),
      ],
      never: [neighbour],
    },
    {
      name: 'it is mended, and fails again by another commit before it is home for good: one absence',
      within: 60_000,
      act: inTurn(
        mends('mend 1'),
        untilApplied(payments, 'mend 1'),
        notes('mended once'),
        breaks('culprit 2'),
        other(8),
      ),
      checks: [
        says(payments, { ...failing, attempted: 'other 8', commit: 'mend 1' }),
        accuses(payments, line, 'culprit 2'),
        began(payments, failedSince('mended once')),
        left(payments, failedSince('calm')),
        absencesAre(payments, 'calm', line, [first]),
        pagesAgree(payments),
      ],
      never: [neighbour],
    },
    {
      name: 'it is mended for good: the absence is over',
      within: 90_000,
      act: inTurn(mends('mend 2'), untilApplied(payments, 'mend 2'), othersApplied(9, 10)),
      checks: [says(payments, { ...home, commit: 'other 10' }), absencesAre(payments, 'calm', line, [overFirst])],
      never: [neighbour],
    },
    {
      name: 'it fails once more: a second absence',
      within: 60_000,
      act: inTurn(notes('calm again'), other(11), other(12), breaks('culprit 3'), other(13), other(14)),
      checks: [
        says(payments, { ...failing, attempted: 'other 14' }),
        accuses(payments, line, 'culprit 3'),
        began(payments, failedSince('calm again')),
        left(payments, failedSince('calm again')),
        absencesAre(payments, 'calm', line, [overFirst, { culprit: 'culprit 3', open: true }]),
        pagesAgree(payments),
        pagesAgreeOver(payments, 'calm', 'calm again'),
      ],
      never: [neighbour],
    },
    {
      name: 'and is mended',
      within: 60_000,
      act: mends('mend 3'),
      checks: [says(payments, { verdict: 'converged', commit: 'mend 3' }), pagesAgree(payments)],
      never: [neighbour],
    },
  ],
};
