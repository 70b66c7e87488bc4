import { expect, it } from 'vitest';
import { pullRequestOf } from './pull-request.ts';

it.each<[string, string, string, number | null]>([
  ['GitHub, squashed', 'Scale it (#123)', '', 123],
  ['GitHub, merged', 'Merge pull request #123 from acme/topic', 'Scale it', 123],
  ['GitHub, reverted', 'Revert "Scale it (#122)" (#123)', '', 123],
  ['GitLab', "Merge branch 'topic' into 'main'", 'Scale it\n\nSee merge request acme/control!123', 123],
  ['GitLab, of the same project', "Merge branch 'topic'", 'See merge request !123', 123],
  ['GitLab, of nested groups', "Merge branch 'topic'", 'See merge request a/b.c/d_e-f!7', 7],
  ['Bitbucket Cloud', 'Merged in topic (pull request #123)', '', 123],
  ['Bitbucket Data Center', 'Merge pull request #123 in ACME/control from topic to main', '', 123],
  ['Bitbucket Data Center, squashed', 'Pull request #123: Scale it', '', 123],
  ['Azure DevOps', 'Merged PR 123: Scale it', '', 123],
  ['Gitea, merged', "Merge pull request 'Scale it' (#123) from topic into main", '', 123],
  ['Gitea, squashed', 'Scale it (#123)', '', 123],
  ['an issue within the words', 'Fix #123 again', '', null],
  ['a number before the end', 'Scale it (#123) once more', '', null],
  ['a quoted request within the words', 'Notes', 'Before: See merge request acme/x!5', null],
  ['a number without end', `Scale it (#${'9'.repeat(40)})`, '', null],
  ['nothing', '', '', null],
])('%s', (_, subject, body, expected) => {
  expect(pullRequestOf(subject, body)).toBe(expected);
});
