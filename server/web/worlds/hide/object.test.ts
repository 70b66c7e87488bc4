import { describe, expect, it } from 'vitest';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { sampleDetail, sampleObject, sampleRef } from '../../testing/sample.ts';
import { objectTimesWithin } from '../record/told-within.ts';
import { sightOf } from '../sight.ts';
import { causeWithin } from './cause.ts';
import { detailWithin, objectWithin } from './object.ts';

const inApps = { cluster: 'eu-1', namespace: 'apps' };
const sight = sightOf([{ clusters: ['eu-1'], namespaces: ['apps'] }]);
const whole = sightOf([{ clusters: ['eu-1'], namespaces: null }]);
const outside = sampleRef({ cluster: 'eu-1', namespace: 'ops', name: 'secret' });
const far = sampleRef({ cluster: 'us-1', namespace: 'apps', name: 'secret' });
const inside = sampleRef({ ...inApps, name: 'base' });

function waiting(rest: Partial<Omit<KnownObject, 'ref'>>): KnownObject {
  return sampleObject(
    { ...inApps, name: 'app' },
    { verdict: 'waiting', sentence: 'It waits for Kustomization secret.', source: null, ...rest },
  );
}

describe('an object that is seen', () => {
  it('is the very same one where it names nothing outside', () => {
    const own = waiting({ sentence: 'The build fails.' });
    const beneath = waiting({ rootCause: { type: 'object', ref: inside }, deliveredBy: inside, names: [inside] });
    for (const object of [own, beneath]) expect(objectWithin(object, sight)).toBe(object);
  });

  it.each([outside, far])(
    'has no name of its cause, of what it depends on, or in the words of Plumbline: %o',
    (ref) => {
      const seen = objectWithin(
        waiting({
          rootCause: { type: 'object', ref },
          source: ref,
          deliveredBy: ref,
          upstreams: { ...noUpstreams, dependsOn: [ref, inside], sources: [ref], parent: ref, provider: ref },
        }),
        sight,
      );
      const { ref: _, ...rest } = seen;
      expect(JSON.stringify(rest)).not.toMatch(/secret|us-1|"ops"/);
      expect(seen.sentence).toBe('Its cause lies outside your view.');
      expect(seen.upstreams.dependsOn[1]).toEqual(inside);
      expect(seen.source?.kind).toBe('Kustomization');
    },
  );

  it('has no revision of a source outside that it does not tell itself, whether that is there or not', () => {
    const [own, theirs] = ['main@sha1:aaaa', 'main@sha1:bbbb'];
    const offer = (revision: KnownObject['revision'], source: KnownObject['source'] = outside) =>
      objectWithin(waiting({ source, revision, commitDiffers: 'yes' }), sight);
    const named = offer({ applied: null, attempted: null, offered: theirs });
    expect([named.revision.offered, named.commitDiffers]).toEqual([null, 'unknown']);
    expect(offer({ applied: own, attempted: own, offered: theirs }).revision).toEqual({
      ...{ applied: own, attempted: own, offered: null },
    });
    expect(offer({ applied: own, attempted: theirs, offered: theirs }).revision.offered).toBe(theirs);
    expect(offer({ applied: own, attempted: own, offered: theirs }, inside).revision.offered).toBe(theirs);
  });

  it('never says that it runs the newest of a source that is not told, and the same where there is none', () => {
    const told = (rest: Partial<Omit<KnownObject, 'ref'>>, offered: string | null) =>
      objectWithin(waiting({ source: outside, revision: { applied: own, attempted: own, offered }, ...rest }), sight)
        .commitDiffers;
    const [own, theirs] = ['main@sha1:aaaa', 'main@sha1:bbbb'];
    const image = { commit: null, commitDiffers: 'no' } as const;
    for (const offered of [theirs, null]) {
      expect(told({ commitDiffers: offered === null ? 'no' : 'yes' }, offered)).toBe('unknown');
      expect(told(image, offered)).toBe('unknown');
    }
    expect(told({ commitDiffers: 'no' }, own)).toBe('no');
    expect(told({ commitDiffers: 'no', reconciler: 'helm' }, theirs)).toBe('no');
  });

  it('keeps what it says of itself', () => {
    const object = waiting({
      message: 'dependency ops/secret is not ready',
      rootCause: { type: 'object', ref: outside },
    });
    expect(objectWithin(object, sight).message).toBe(object.message);
  });

  it.each<[string, Partial<Omit<KnownObject, 'ref'>>]>([
    ['candidates of its delivery', { reason: 'DeliveryUncertain' }],
    ['a chain to a cause that is seen', { rootCause: { type: 'object', ref: inside } }],
    ['its parts', { rootCause: { type: 'object', ref: inside }, role: 'composite' }],
    ['whatever a reason of tomorrow names', { verdict: 'unconfirmed', reason: 'Tomorrow' }],
  ])('has no sentence that names what is outside: %s', (_, rest) => {
    const naming = (ref: ObjectRef) => waiting({ ...rest, names: [inside, ref] });
    for (const ref of [outside, far]) {
      const seen = objectWithin(naming(ref), sight);
      expect([seen.sentence.includes('secret'), seen.names]).toEqual([false, []]);
      expect(seen.sentence).toMatch(/ your view\.$|cannot be told\.$/);
    }
    expect(objectWithin(naming(inside), sight)).toEqual(naming(inside));
    expect(objectWithin(naming(outside), whole)).toEqual(naming(outside));
  });

  it('keeps its sentence where that names nothing outside, whatever else lies there', () => {
    const dead = { type: 'controller', cluster: 'eu-1', namespace: 'ops', name: 'kustomize-controller' } as const;
    const sentence = 'kustomize-controller is dead.';
    const object = waiting({ rootCause: dead, sentence, source: outside, deliveredBy: far });
    expect(objectWithin(object, sight).sentence).toBe(sentence);
  });

  it.each([
    ['CompositeNotSeen', 'What it is a part of is not seen.'],
    ['PartMissing', 'A part of it is not there.'],
    ['PartNotObserved', 'A part of it cannot be seen.'],
  ])('names no composite and no part that it alone names: %s', (reason, expected) => {
    const object = waiting({ reason, names: [outside], sentence: 'XDatabase secret is not there.' });
    expect(objectWithin(object, sight).sentence).toBe(expected);
    expect(objectWithin(object, whole)).toBe(object);
    // Who sees all of the cluster sees these, whatever else lies outside.
    expect(objectWithin({ ...object, source: far }, whole).sentence).toBe(object.sentence);
  });

  it('that is opted out does not name who leaves it as it is', () => {
    const opted = (deliveredBy: ObjectRef): KnownObject =>
      waiting({
        ...{ verdict: 'unconfirmed', reason: 'OptedOut', deliveredBy },
        sentence: `Kustomization app is opted out (x): Kustomization ${deliveredBy.name} leaves it as it is, whatever git says.`,
        names: [deliveredBy],
      });
    expect(objectWithin(opted(outside), sight).sentence).toBe(
      'It is opted out: what delivers it leaves it as it is, whatever git says.',
    );
    expect(objectWithin(opted(inside), sight)).toEqual(opted(inside));
  });

  it('that is switched off and made of parts does not tell how these are', () => {
    const paused = waiting({ verdict: 'suspended', was: 'diverged', reason: 'Suspended', role: 'claim' });
    expect(objectWithin(paused, sight).was).toBeNull();
    expect(objectWithin(paused, whole)).toBe(paused);
    const applier = { ...paused, role: 'applier' } as const;
    expect(objectWithin(applier, sight)).toBe(applier);
  });

  it('that is behind what a source outside offers does not tell what that is', () => {
    const sentence = 'app runs aaa, though bbb is offered.';
    const behind = (source: ObjectRef): KnownObject =>
      waiting({ verdict: 'behind', reason: 'Behind', sentence, names: [source], source, deliveredBy: far });
    expect(objectWithin(behind(outside), sight).sentence).not.toContain('bbb');
    expect(objectWithin(behind(inside), sight).sentence).toBe(sentence);
    const offer = (source: ObjectRef) =>
      ({ from: 'field', text: 'applied aaa, offered bbb, not tried yet', names: [source], at: null }) as const;
    const told = (source: ObjectRef) =>
      detailWithin({ ...sampleDetail(behind(source), { source }), evidence: [offer(source)] }, sight).evidence;
    expect([told(outside), told(inside)]).toEqual([[], [offer(inside)]]);
  });

  it('does not name what of its inventory is not there', () => {
    const message = 'Kustomization ops/secret is in the inventory but not on the cluster.';
    const missing = waiting({
      ...{ verdict: 'diverged', reason: 'Missing', message },
      sentence: 'Kustomization app lists Kustomization secret as applied, but it is not on the cluster.',
      names: [outside],
    });
    const seen = objectWithin(missing, sight);
    expect([seen.sentence, seen.message]).toEqual(['Something that it lists as applied is not on the cluster.', '']);
    expect(objectWithin(missing, whole)).toBe(missing);
    const late = {
      ...missing,
      verdict: 'stale',
      reason: 'NoPass',
      sentence: 'No pass of its loop has been seen.',
      names: [],
    } as const;
    expect(objectWithin(late, sight)).toEqual({ ...late, message: '' });
    expect(detailWithin({ ...sampleDetail(missing), message }, sight).message).toBe('');
    const time = { ref: missing.ref, rootCause: null, message };
    expect(objectTimesWithin(() => sight).caused(time).message).toBe('');
    expect(objectTimesWithin(() => whole).caused(time)).toBe(time);
  });

  it('has no evidence of joins, no parts and no inventory that lie outside', () => {
    const object = waiting({ rootCause: { type: 'object', ref: outside } });
    const detail = sampleDetail(object, { children: [outside, inside], inventory: ['ops_secret_apps_Deployment'] });
    const evidence = [
      ...detail.evidence,
      { from: 'join', text: 'depends on secret', names: [outside], at: null } as const,
    ];
    const seen = detailWithin({ ...detail, evidence }, sight);
    expect(JSON.stringify(seen)).not.toContain('secret');
    expect(seen.observation.children).toEqual([inside]);
    expect(seen.evidence).toEqual(detail.evidence);
  });
});

it('has the evidence of which all that it names is seen, on whatever cluster, whatever its words are', () => {
  const own = sampleDetail(waiting({ source: inside }), { source: inside });
  const joined = (...names: readonly [ObjectRef, ...ObjectRef[]]) =>
    ({ from: 'join', text: 'x', names, at: null }) as const;
  const [near, out, both, over] = [joined(inside), joined(outside), joined(inside, far), joined(far)];
  const told = (by: typeof sight) => detailWithin({ ...own, evidence: [near, out, both, over] }, by).evidence;
  expect(told(whole)).toEqual([near, out]);
  expect(told(sight)).toEqual([near]);
});

describe('a cause', () => {
  it('outside is another one than others are, and has no words', () => {
    const [one, other, again] = [outside, far, outside].map((ref) => causeWithin({ type: 'object', ref }, sight));
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(one?.type).toBe('outside');
  });

  it('is told with its cluster where it is a controller or a kind there', () => {
    const controller = { type: 'controller', cluster: 'eu-1', namespace: 'flux-system', name: 'c' } as const;
    expect(causeWithin(controller, sight)).toBe(controller);
    expect(causeWithin({ ...controller, cluster: 'us-1' }, sight).type).toBe('outside');
  });
});
