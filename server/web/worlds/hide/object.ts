import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { isOfferUnread } from '#lib/domain/record/commit-differs.ts';
import type { CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import { namesListed } from '#lib/domain/verdict/own-finding.ts';
import { hasUpstreams, type Upstreams } from '#lib/domain/record/upstreams.ts';
import { veiled, type Sight } from '../sight.ts';
import { causeWithin } from './cause.ts';

/**
 * An object that is seen, as a sight tells it: what lies outside has no name, neither as its cause nor as what it depends on, nor in the words of
 * Plumbline. What the object says of itself stays. The very same one where it names nothing outside.
 */
export function objectWithin<O extends CurrentObject>(object: O, sight: Sight): O {
  if (namesInside(object, sight)) return object;
  const { source, deliveredBy, upstreams, rootCause } = object;
  return {
    ...object,
    ...offerWithin(object, sight),
    ...namedWhileOff(object, sight),
    was: wasWithin(object, sight),
    message: messageWithin(object, sight),
    source: refWithin(source, sight),
    deliveredBy: refWithin(deliveredBy, sight),
    upstreams: upstreamsWithin(upstreams, sight),
    rootCause: causeWithin(rootCause, sight),
    sentence: sentenceWithin(object, sight),
    names: [],
  };
}

/** The detail of an object that is seen, as a sight tells it. */
export function detailWithin(detail: ObjectDetail, sight: Sight): ObjectDetail {
  const { observation } = detail;
  const { ref, source, deliveredBy, parent, providerConfig } = observation;
  const seen = (refs: readonly ObjectRef[]): readonly ObjectRef[] => refs.filter(sight.sees);
  return {
    ...detail,
    message: messageWithin({ ref, message: detail.message }, sight),
    evidence: detail.evidence.filter(({ names = [] }) => names.every(sight.sees)),
    memory: null,
    observation: {
      ...observation,
      source: refWithin(source, sight),
      otherSources: seen(observation.otherSources),
      dependsOn: seen(observation.dependsOn),
      deliveredBy: refWithin(deliveredBy, sight),
      parent: refWithin(parent, sight),
      children: seen(observation.children),
      providerConfig: refWithin(providerConfig, sight),
      inventory: sight.granted(ref.cluster) === 'all' ? observation.inventory : [],
    },
  };
}

/** A message as a sight tells it: none where Plumbline names what is listed in an inventory, of which nothing is told to who sees a part of a cluster. */
export function messageWithin<Message extends string | null>(
  { ref, message }: { readonly ref: ObjectRef; readonly message: Message },
  { granted }: Sight,
): Message | '' {
  return message !== null && namesListed(message) && granted(ref.cluster) !== 'all' ? '' : message;
}

/** A reference without the name of what lies outside: of which kind it is, and that it is another than others are. */
export function refWithin<R extends ObjectRef | null>(ref: R, sight: Sight): R | ObjectRef {
  if (ref === null || sight.sees(ref)) return ref;
  const { group, kind, cluster } = ref;
  const name = `outside-your-view-${veiled(refKey(ref))}`;
  return { cluster: sight.granted(cluster) === 'none' ? name : cluster, group, kind, namespace: '', name };
}

/**
 * The offer of its source, where the object tells it itself: of a source outside of what is seen its commit would be told, and that it is there, to
 * whoever names it in an object of his own. What is not told is unknown, whether it is there or not.
 */
function offerWithin(object: CurrentObject, { sees }: Sight): Pick<CurrentObject, 'revision' | 'commitDiffers'> {
  const { source, commitDiffers } = object;
  const { applied, attempted, offered } = object.revision;
  const isOwn = source === null || sees(source) || (offered !== null && (offered === applied || offered === attempted));
  if (isOwn) return { revision: object.revision, commitDiffers };
  const revision = { applied, attempted, offered: null };
  return { revision, commitDiffers: isOfferUnread({ ...object, revision }) ? 'unknown' : 'no' };
}

/**
 * Nothing of where something comes from that is switched off, and whose source is not seen: it may have been turned there since anybody looked. Nor when its record was
 * written last, which is so with each offer of that.
 */
function namedWhileOff(object: CurrentObject, sight: Sight): Pick<CurrentObject, 'repository' | 'confirmedAt'> {
  const { verdict, repository, confirmedAt } = object;
  if (verdict !== 'suspended' || seesSource(object, sight)) return { repository, confirmedAt };
  return { repository: null, confirmedAt: null };
}

function upstreamsWithin(upstreams: Upstreams, sight: Sight): Upstreams {
  if (!hasUpstreams(upstreams)) return upstreams;
  const { sources, dependsOn, parent, provider, providerConfig } = upstreams;
  return {
    sources: sources.map((ref) => refWithin(ref, sight)),
    dependsOn: dependsOn.map((ref) => refWithin(ref, sight)),
    parent: refWithin(parent, sight),
    provider: refWithin(provider, sight),
    providerConfig: refWithin(providerConfig, sight),
  };
}

function seesSource({ source }: CurrentObject, { sees }: Sight): boolean {
  return source === null || sees(source);
}

/** The objects that an object refers to, in its fields or in the words of Plumbline: of each of them a sight is asked. */
export function refsOf({ source, deliveredBy, upstreams, names = [] }: CurrentObject): readonly ObjectRef[] {
  const own = [source, deliveredBy].flatMap((ref) => ref ?? []);
  if (!hasUpstreams(upstreams)) return [...own, ...names];
  const { sources, dependsOn, parent, provider, providerConfig } = upstreams;
  const single = [parent, provider, providerConfig].flatMap((ref) => ref ?? []);
  return [...own, ...single, ...sources, ...dependsOn, ...names];
}

function namesInside(object: CurrentObject, sight: Sight): boolean {
  const { rootCause } = object;
  return (
    messageWithin(object, sight) === object.message &&
    wasWithin(object, sight) === object.was &&
    refsOf(object).every(sight.sees) &&
    causeWithin(rootCause, sight) === rootCause
  );
}

/**
 * The verdict beneath being switched off, but of what is made of parts: nobody looks at it meanwhile, and whoever writes the name of a part would be told whether
 * that is there.
 */
function wasWithin(object: CurrentObject, sight: Sight): CurrentObject['was'] {
  return object.verdict === 'suspended' && !seesParts(object, sight) ? null : object.was;
}

/** True unless an object is made of parts that may lie outside: they are not told with it. */
function seesParts({ role, ref }: CurrentObject, sight: Sight): boolean {
  return (role !== 'composite' && role !== 'claim') || sight.granted(ref.cluster) === 'all';
}

/** Sentences that name what is not seen, by their reasons: what is told in their place. Of any other: `unnamed`. */
const veiledSentences: ReadonlyMap<string, string> = new Map([
  ['DeliveryUncertain', 'What delivers it cannot be told.'],
  ['Behind', 'It does not run what its source offers, which lies outside your view.'],
  ['OptedOut', 'It is opted out: what delivers it leaves it as it is, whatever git says.'],
  ['Missing', 'Something that it lists as applied is not on the cluster.'],
  ['CompositeNotSeen', 'What it is a part of is not seen.'],
  ['PartMissing', 'A part of it is not there.'],
  ['PartNotObserved', 'A part of it cannot be seen.'],
]);
const unnamed = 'The way to its cause lies partly outside your view.';

/** A sentence as a sight tells it: the very same where all that it names is seen, and its cause, too. */
function sentenceWithin({ names = [], rootCause, reason, sentence }: CurrentObject, sight: Sight): string {
  if (causeWithin(rootCause, sight) !== rootCause) return 'Its cause lies outside your view.';
  return names.every(sight.sees) ? sentence : (veiledSentences.get(reason) ?? unnamed);
}
