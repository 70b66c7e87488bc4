import { describe, expect, it } from 'vitest';
import type { CurrentObject } from '../record/current.ts';
import { alikeTitle, errorShape, failsLike } from './failing-alike.ts';
import { observed, recorded } from '../testing/observed.ts';

const { ref } = observed();
const rev = (letter: string): string => `main@sha1:${letter.repeat(40)}`;
const broke = (good: string | null, bad: string | null) => ({
  lastGood: good && rev(good),
  firstBad: bad && rev(bad),
  seenBetween: null,
  watched: true,
});
const notThere = (file: string): string =>
  `kustomize build failed: accumulation err='accumulating resources from '${file}': open /tmp/kustomization-31547954/${file}: no such file or directory'`;

/** accounts on stg-us, whose build fails since b; it tries c by now. */
function failing(part: Partial<CurrentObject> = {}, name = 'accounts', cluster = 'stg-us'): CurrentObject {
  return recorded({
    ref: { ...ref, cluster, name },
    verdict: 'diverged',
    reason: 'BuildFailed',
    message: notThere('session.yaml'),
    repository: 'https://git.example.org/acme/control.git',
    revision: { applied: rev('a'), attempted: rev('c'), offered: rev('c') },
    range: broke('a', 'b'),
    ...part,
  });
}

const controller = {
  type: 'controller',
  cluster: 'stg-us',
  namespace: 'flux-system',
  name: 'kustomize-controller',
} as const;
const other = { ...controller, name: 'helm-controller' } as const;

describe('fails alike', () => {
  const elsewhere = (part: Partial<CurrentObject> = {}) => failing(part, 'accounts', 'stg-eu');
  const another = (part: Partial<CurrentObject> = {}) => failing(part, 'payments', 'eu-west-3');
  it.each<readonly [string, boolean, CurrentObject, CurrentObject]>([
    [
      'the same name on another cluster, whatever was fetched there',
      true,
      failing(),
      elsewhere({ range: broke('x', 'y') }),
    ],
    ['the same name where it was found failing', true, failing(), elsewhere({ range: null })],
    ['the same name with another error', false, failing(), elsewhere({ message: 'no space left on device' })],
    ['the same name for another reason', false, failing(), elsewhere({ reason: 'ReconciliationFailed' })],
    [
      'the same name from another repository',
      false,
      failing(),
      elsewhere({ repository: 'https://git.example.org/x.git' }),
    ],
    ['another name that broke after the same commit', true, failing(), another({ range: broke('a', 'y') })],
    ['another name that broke by the same commit', true, failing(), another({ range: broke('x', 'b') })],
    ['the same error of other files', true, failing(), another({ message: notThere('limits.yaml') })],
    [
      // The demo: accounts breaks on three clusters while checkout has long been failing, and all of them now try the newest commit.
      'another application that only tries the same commit by now',
      false,
      failing(),
      another({ range: broke('m', 'n') }),
    ],
    ['that, without a range', false, failing(), another({ range: null })],
    ['another name in the same range with another error', false, failing(), another({ message: 'no such host' })],
    [
      'another name whose range has one end alone',
      false,
      failing({ range: broke('a', null) }),
      another({ range: broke('a', null) }),
    ],
    [
      'others that failed where they had worked',
      false,
      failing({ range: broke('a', 'a') }),
      another({ range: broke('a', 'a') }),
    ],
    ['another name where neither says what it is', false, failing({ message: '' }), another({ message: '' })],
    ['the same root cause', true, failing({ rootCause: controller }), another({ rootCause: controller, range: null })],
    ['another root cause', false, failing({ rootCause: controller }), another({ rootCause: other })],
    ['a root cause and none', false, failing({ rootCause: controller }), elsewhere()],
    ['drift that is left on two clusters', false, failing({ verdict: 'drifted' }), elsewhere({ verdict: 'drifted' })],
    [
      'what is late on each cluster by itself: that one commit is offered to both is no error and no cause',
      false,
      failing({ verdict: 'behind', reason: 'Behind', message: '', range: null }),
      elsewhere({ verdict: 'behind', reason: 'Behind', message: '', range: null }),
    ],
    [
      'what is late by one cause',
      true,
      failing({ verdict: 'behind', reason: 'Behind', message: '', range: null, rootCause: controller }),
      another({ verdict: 'behind', reason: 'Behind', message: '', range: null, rootCause: controller }),
    ],
  ])('%s: %s', (_name, expected, one, two) => {
    expect([failsLike(one)(two), failsLike(two)(one)]).toEqual([expected, expected]);
  });
});

it.each([
  ['diverged', true],
  ['unhealthy', true],
  ['drifted', false],
  ['stale', false],
  ['unobserved', false],
  ['suspended', false],
  ['behind', false],
  ['waiting', false],
  ['progressing', false],
  ['unconfirmed', false],
  ['converged', false],
] as const)('what is %s on two clusters fails alike: %s', (verdict, alike) => {
  const [one, two] = [failing({ verdict }), failing({ verdict }, 'accounts', 'stg-eu')];
  expect(failsLike(one)(two)).toBe(alike);
  expect(failsLike(failing({ verdict, reason: '' }))(failing({ verdict, reason: '' }, 'accounts', 'stg-eu'))).toBe(
    false,
  );
});

it.each([
  [[['a', 'c1']], 'a on c1'],
  [
    [
      ['b', 'c1'],
      ['a', 'c1'],
      ['a', 'c2'],
    ],
    'a and b on 2 clusters',
  ],
  [
    [
      ['a', 'c1'],
      ['b', 'c1'],
      ['c', 'c1'],
    ],
    'a, b and 1 more on c1',
  ],
] as const)('%j are called %j', (objects, title) => {
  expect(alikeTitle(objects.map(([name, cluster]) => failing({}, name, cluster)))).toBe(title);
});

describe('the shape of an error', () => {
  it.each<readonly [string, string, boolean]>([
    [notThere('a.yaml'), notThere('limits-of-b.yaml'), true],
    ['Deployment/checkout/api dry-run failed', 'Deployment/accounts/accounts-api dry-run failed', true],
    [
      'dial tcp 10.96.0.1:443: connect: connection refused',
      'dial tcp 10.0.7.12:8443: connect: connection refused',
      true,
    ],
    [
      'no matches for kind "Widget" in version "example.org/v1"',
      'no matches for kind "Gadget" in version "x.org/v2"',
      true,
    ],
    ['timeout after 30s at main@sha1:2d81e55', 'timeout after 5m0s at main@sha1:9f31c07', true],
    ['checkout is not ready', 'web is not ready', false],
    ['connection refused', 'connection reset', false],
    ['', 'connection refused', false],
  ])('%j and %j: %s', (one, two, same) => {
    expect(errorShape(one, ref) === errorShape(two, ref)).toBe(same);
  });

  it('knows the names of its own object, whole', () => {
    const of = (name: string): string =>
      errorShape(`${name} of team in c1 is not ready`, { ...ref, cluster: 'c1', name });
    expect(of('checkout')).toBe(of('web'));
    expect(errorShape('web is webbed', { ...ref, name: 'web' })).toBe('* is webbed');
  });

  it.each([
    ['Build: failed. a/b c/d: Not there...', 'build failed * not there'],
    ['1 2 three 4', '* three *'],
    [`say "one two" and 'three' or \`four\``, 'say * and * or *'],
    ['...', ''],
  ])('%j has the shape %j', (message, shape) => {
    expect(errorShape(message, ref)).toBe(shape);
  });

  it('looks at no more than the beginning', () => {
    expect(errorShape('a '.repeat(100_000), ref)).toHaveLength(599);
    expect(errorShape(`${'a'.repeat(600)}b`, ref)).toBe('a'.repeat(600));
    expect(errorShape("'".repeat(100_000), ref)).toBe('*');
  });
});
