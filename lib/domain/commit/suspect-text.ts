import type { Doubt, Suspicion, Untold } from './suspect.ts';

/** Names that a doubt is about. */
interface Named {
  /** Names of what the objects build from that the repository does not hold. */
  readonly elsewhere: readonly string[];
  /** The reader's own sentence on why it tells nothing; null where it told. */
  readonly reason: string | null;
}

/** A conclusion as sentences for people; the commits that it names stand beside it. */
export function suspicionText(suspicion: Suspicion, named: Named): string {
  switch (suspicion.type) {
    case 'not-told':
      return suspicion.why === 'not-mirrored'
        ? (named.reason ?? untoldText['not-mirrored'])
        : untoldText[suspicion.why];
    case 'none':
      return noneText(suspicion, named);
    case 'culprit':
      return suspicion.commits === 1
        ? 'The only commit in this range touches what it builds from.'
        : `Of ${suspicion.commits} commits in this range, one touches what it builds from.`;
    case 'suspects': {
      const { shas, commits, more, doubts } = suspicion;
      const count = more ? `at least ${shas.length}` : `${shas.length}`;
      const touch = shas.length === 1 && !more ? 'touches' : 'touch';
      const of = commits === 1 ? 'The only commit in this range' : `Of ${commits} commits in this range, ${count}`;
      return sentences(`${of} ${touch} what it builds from.`, doubts, named);
    }
  }
}

/** Why nothing is concluded, as a sentence each. */
const untoldText: Readonly<Record<Untold, string>> = {
  'never-worked': 'It has never worked: there is no earlier commit to compare with.',
  'good-unknown': 'Where it last worked is not known, so the commits of this range are not either.',
  'bad-unknown': 'Where it first failed is not known, so the commits of this range are not either.',
  'no-commits': 'It is made from revisions that are no commits of git.',
  'no-path': 'What it was built from is not known.',
  'several-repositories': 'What failed is built from several repositories.',
  'another-cause': 'It was first taken for another cause, and its range is of that.',
  'not-mirrored': 'Its repository is not mirrored.',
  'no-such-commit':
    'The mirror does not hold every commit of this range: they are newer than its last fetch, or their history was rewritten.',
  'no-such-branch': 'The mirror does not hold the branch.',
  rewritten:
    'Where it last worked is not in the history of where it first failed: the history was rewritten, or it follows another branch.',
  'too-many': 'This range is too large to be looked through.',
  unreadable: 'The repository cannot be read now.',
  late: 'Git does not answer in time.',
};

/** One of a conclusion without commits. */
function noneText({ commits, doubts }: Suspicion & { readonly type: 'none' }, named: Named): string {
  if (commits === 0) return 'It failed at the very commit at which it had worked: git did not change it.';
  const nothing = 'No commit in this range touches what it builds from';
  return doubts.length === 0 ? `${nothing}: git did not change it.` : sentences(`${nothing}.`, doubts, named);
}

function sentences(first: string, doubts: readonly Doubt[], named: Named): string {
  return [first, ...doubts.map((doubt) => doubtText(doubt, named))].join(' ');
}

const namesShown = 3;

function doubtText(doubt: Doubt, { elsewhere }: Named): string {
  switch (doubt) {
    case 'at-least':
      return 'Not every attempt was seen, so none is named as the culprit.';
    case 'elsewhere': {
      if (elsewhere.length === 0) return 'What else it builds from is not known.';
      const more = elsewhere.length > namesShown ? ` and ${elsewhere.length - namesShown} more` : '';
      const names = elsewhere.slice(0, namesShown).join(', ');
      return `It builds from what this repository does not hold, too: ${names}${more}.`;
    }
    case 'edited':
      return 'Its spec was edited about then, or since: it may have been built from another path.';
    case 'returned':
      return 'It was over and came back: this is the range of the first time.';
    case 'some-unknown':
      return 'What some of the objects were built from is not known.';
    case 'not-all':
      return 'It does not touch what every one of the objects builds from.';
  }
}
