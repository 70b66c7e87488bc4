import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { redact } from '#lib/domain/observation/redact.ts';

/** Part of an observation that is remembered of an object to tell what was changed of it. */
export type NotedFacts = Pick<
  Observation,
  'generation' | 'specEditedBy' | 'suspended' | 'deletedAt' | 'exemptions' | 'revisions'
>;

/** Facts of an observation that may be changed, and nothing else. */
export function factsOf(observation: NotedFacts): NotedFacts {
  const { generation, specEditedBy, suspended, deletedAt, exemptions, revisions } = observation;
  return { generation, specEditedBy, suspended, deletedAt, exemptions, revisions };
}

/** When the present state was heard of (ms), and the last moment at which the former one was still seen; equal where the writes are watched. */
export interface Received {
  readonly at: number;
  readonly notBefore: number;
}

/** A change with its time; see `NotedChange`. */
export interface Dated {
  readonly at: number;
  readonly notBefore: number;
  readonly fact: ChangeFact;
}

const longestName = 128;
const longestRevision = 256;

/** A name or a revision as it may be kept: redacted, cut. */
export function shortText(text: string, longest = longestName): string {
  return redact(text, longest);
}

/** Argo CD names a commit by its bare hash, which would be taken for a token. */
const bareHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function revisionText(text: string | null): string | null {
  return text === null || bareHash.test(text) ? text : shortText(text, longestRevision);
}

function manager(name: string | null | undefined): string | null {
  return name === null || name === undefined ? null : shortText(name);
}

/** Nothing happened later than it was heard of. */
function at(time: number, fact: ChangeFact, received: Received): Dated {
  const moment = Math.min(time, received.at);
  return { at: moment, notBefore: moment, fact };
}

/** The API server's clock and ours may differ by so much (ms); managedFields are cut to whole seconds besides. */
const clockSkew = 5_000;

/** A time that is older than the former state is not that of the change: it dates something else of the same hand. */
function isOf(time: number | null | undefined, received: Received): time is number {
  return typeof time === 'number' && time >= received.notBefore - clockSkew;
}

/** By the API server's clock where it dates the change, else by ours. */
function dated(fact: ChangeFact, time: number | null | undefined, received: Received): Dated {
  return isOf(time, received) ? at(time, fact, received) : { ...received, fact };
}

/**
 * The generation counts the edits of a spec, but for these: the API server adds one when a deletion is asked for (apiserver
 * pkg/registry/rest/delete.go BeforeDelete); Argo CD's Application has no status subresource, so each write of its status adds
 * one (argo-cd#22967); Crossplane's own controllers write into the spec of what they manage (late initialisation, resolved
 * references, resourceRefs). Of the last two only an edit that managedFields know of by another manager counts.
 */
function specEdit(before: NotedFacts, after: Observation, received: Received): readonly Dated[] {
  const asked = before.deletedAt === null && after.deletedAt !== null ? 1 : 0;
  const edits = after.generation - before.generation - asked;
  if (edits <= 0) return [];
  const counts = after.reconciler !== 'crossplane' && after.reconciler !== 'argocd';
  const editor = newEditor(before.specEditedBy, after.specEditedBy);
  if (!counts && editor === null) return [];
  const generation = after.generation - asked;
  const from = generation - (counts ? edits : 1);
  const fact: ChangeFact = { type: 'spec-edited', by: manager(editor?.manager), from, generation };
  return [editor !== null && editor.at !== null ? at(editor.at, fact, received) : { ...received, fact }];
}

type Editor = Observation['specEditedBy'];

/** Who edited since; null where managedFields name the same as before: who only takes away what another owns leaves no trace. */
function newEditor(before: Editor, after: Editor): Editor {
  if (after === null) return null;
  if (before === null || after.at === null || before.at === null) return after;
  return after.at > before.at || (after.at === before.at && after.manager !== before.manager) ? after : null;
}

function suspension(before: NotedFacts, after: Observation, received: Received): readonly Dated[] {
  if (before.suspended === null && after.suspended !== null) {
    const { field, by, at } = after.suspended;
    return [dated({ type: 'suspended', field, by: manager(by) }, at, received)];
  }
  if (before.suspended !== null && after.suspended === null) {
    const { field } = before.suspended;
    const editor = field.startsWith('spec') && after.generation > before.generation ? after.specEditedBy : null;
    return [dated({ type: 'resumed', field, by: manager(editor?.manager) }, editor?.at, received)];
  }
  return [];
}

/**
 * Change of the offer: a source's artifact, dated by the condition that restarts with each artifact (source-controller
 * ArtifactInStorage). An applier without a source of its own (an Argo CD Application names its repository itself) is told by
 * what it tried.
 */
function revision(before: NotedFacts, after: Observation, received: Received): readonly Dated[] {
  const offers = (facts: NotedFacts): string | null =>
    after.role === 'source'
      ? facts.revisions.artifact
      : after.role === 'applier' && after.source === null
        ? facts.revisions.attempted
        : null;
  const [from, to] = [offers(before), offers(after)];
  if (from === to) return [];
  const stored = after.conditions.find(({ type, status }) => type === 'ArtifactInStorage' && status === 'True');
  return [
    dated(
      { type: 'revision', from: revisionText(from), to: revisionText(to) },
      to === null ? null : stored?.lastTransitionTime,
      received,
    ),
  ];
}

function sameExemption(a: Exemption, b: Exemption): boolean {
  return a.kind === b.kind && a.field === b.field;
}

/**
 * Weakenings that came or went. A field of the spec cannot change without an edit; and where nobody was watching, what
 * was set before the former state was last seen is not new: what merely another version of Plumbline finds, nobody changed.
 */
function exemptions(before: NotedFacts, after: Observation, edited: boolean, received: Received): readonly Dated[] {
  const may = ({ kind, field }: Exemption): boolean => kind !== 'suspended' && (edited || field.startsWith('metadata'));
  const added = after.exemptions
    .filter((one) => may(one) && !before.exemptions.some((other) => sameExemption(one, other)))
    .filter(({ at: since }) => received.notBefore === received.at || since === null || isOf(since, received))
    .map(({ kind, field, by, at: since }) =>
      dated({ type: 'exemption-added', kind, field, by: manager(by) }, since, received),
    );
  const removed = before.exemptions
    .filter((one) => may(one) && !after.exemptions.some((other) => sameExemption(one, other)))
    .map(({ kind, field }): Dated => {
      const editor = field.startsWith('spec') && edited ? after.specEditedBy : null;
      return dated({ type: 'exemption-removed', kind, field, by: manager(editor?.manager) }, editor?.at, received);
    });
  return [...added, ...removed];
}

/** Changes of an object between what was noted of it and what it says now. [] for a quiet pass. */
export function objectChanges(before: NotedFacts, after: Observation, received: Received): readonly Dated[] {
  const asked = before.deletedAt === null && after.deletedAt !== null;
  const edits = specEdit(before, after, received);
  return [
    ...edits,
    ...suspension(before, after, received),
    ...(before.revisions === after.revisions ? [] : revision(before, after, received)),
    ...(before.exemptions === after.exemptions ? [] : exemptions(before, after, edits.length > 0, received)),
    ...(asked ? [dated({ type: 'deletion-asked' }, after.deletedAt, received)] : []),
  ];
}
