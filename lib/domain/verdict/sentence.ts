import { errorText } from '../cause/error-text.ts';
import type { Observation, SettledSummary } from '../observation/observation.ts';
import { shortRevision } from '../observation/revision.ts';
import { runningOf } from '../observation/running.ts';

/** Revision that it tries now: where it broke is another matter (`CommitRange`). */
function tried(observation: Observation): string {
  const { attempted } = observation.revisions;
  return attempted ? `, last tried at ${shortRevision(attempted)}` : '';
}

function planned({ revisions: { attempted } }: Observation): string {
  return attempted ? ` at ${shortRevision(attempted)}` : '';
}

function what(observation: Observation): string {
  // The root of a source is '', and nothing that a sentence could name.
  return observation.path || title(observation);
}

function title(observation: Observation): string {
  return `${observation.ref.kind} ${observation.ref.name}`;
}

function fetched(observation: Observation): string {
  const { revisions, target, ref } = observation;
  if (revisions.artifact === null) return `${title(observation)} is in order.`;
  if (ref.kind === 'HelmRepository') return `${title(observation)} has fetched its index.`;
  const reference = target ? ` (${target.reference})` : '';
  return `${title(observation)} has fetched ${shortRevision(revisions.artifact, ref.kind)}${reference}.`;
}

/** Meaning of a good word of an object for what it is: only what is applied can be as declared. */
export function goodSentence(observation: Observation): string {
  const name = title(observation);
  const measured = observation.drift.drift !== 'not-measured';
  if (observation.summary.said === 'static') {
    return observation.role === 'package'
      ? `${name} is kept for a roll back and runs nothing.`
      : `${name} has no loop of its own.`;
  }
  switch (observation.role) {
    case 'source':
      return fetched(observation);
    case 'applier': {
      const { applied } = observation.revisions;
      if (measured) return `${name} is as declared.`;
      return `${name} was applied${applied === null ? '' : ` at ${shortRevision(applied)}`}; whether it has drifted since is not measured.`;
    }
    case 'managed':
      return measured ? `${name} is as declared.` : `${name} is there; whether it has drifted is not measured.`;
    case 'composite':
    case 'claim':
      return `${name} is as declared.`;
    case 'package':
      return `${name} is installed and healthy.`;
    case 'definition':
      return `${name} is established.`;
    case 'helper':
      return `${name} does its work.`;
    case 'declared':
      return `${name} is declared, and nothing reports on it.`;
  }
}

/** Statuses of a history's entries whose content was in place as a whole (Flux, Helm). */
const inPlace: ReadonlySet<string> = new Set(['ReconciliationSucceeded', 'deployed', 'superseded', 'uninstalled']);

function unappliedSentence({ history, inventory }: Observation): string {
  if (history.some(({ status }) => inPlace.has(status))) return 'Nothing of it is in place any more.';
  if (inventory.length > 0) return 'It was never applied in full; parts of it may run.';
  return history.length > 0 ? 'It was never applied in full.' : 'Nothing of it has been applied yet.';
}

/** Second sentence on what runs meanwhile; '' where nothing is known. */
export function runningSentence(observation: Observation): string {
  const running = runningOf(observation);
  if (observation.role !== 'applier') return '';
  if (running.revision === null) return ` ${unappliedSentence(observation)}`;
  if (running.partly) return ` Parts of ${shortRevision(observation.revisions.attempted ?? running.revision)} may run.`;
  return ` The cluster runs ${shortRevision(running.revision)}.`;
}

function undeclared(observation: Observation, message: string): string {
  const why = message === '' ? '' : ` (${errorText(message)})`;
  switch (observation.role) {
    case 'source':
      return `${title(observation)} cannot make its artifact${why}.`;
    case 'package':
      return `${title(observation)} cannot be installed${why}.`;
    case 'definition':
      return `${title(observation)} cannot be established${why}.`;
    case 'helper':
      return `${title(observation)} cannot do its work${why}.`;
    case 'applier':
    case 'managed':
    case 'composite':
    case 'claim':
    case 'declared':
      return `${title(observation)} cannot be made as declared${why}.`;
  }
}

/** Sentence on what went wrong, by reason. */
export function failureSentence(observation: Observation, summary: Extract<SettledSummary, { said: 'bad' }>): string {
  const name = what(observation);
  switch (summary.reason) {
    case 'BuildFailed':
      return `The build of ${name} fails${tried(observation)}.`;
    case 'ReconciliationFailed':
      return `Applying ${name} fails${tried(observation)}.`;
    case 'HealthCheckFailed':
      return `The health checks of ${name} fail${tried(observation)}.`;
    case 'PruneFailed':
      return `What was removed from git cannot be pruned from ${name}.`;
    case 'ArtifactFailed':
    case 'SourceNotReady':
      return `${name} cannot get what it should apply.`;
    case 'DependencyNotReady':
      return `${name} waits for what it depends on.`;
    case 'SkippedDueToSchedule':
      return `${name} has not run yet: it waits for its schedule.`;
    case 'InstallFailed':
      return `The installation of ${observation.ref.name} fails${tried(observation)}.`;
    case 'UpgradeFailed':
      return `The upgrade of ${observation.ref.name}${observation.revisions.attempted ? ` to ${shortRevision(observation.revisions.attempted)}` : ''} fails.`;
    case 'TestFailed':
      return `The tests of ${observation.ref.name} fail.`;
    case 'ValuesError':
      return `The values of ${observation.ref.name} cannot be read.`;
    case 'AuthenticationFailed':
      return `${observation.ref.kind} ${observation.ref.name} may not read ${observation.target?.url ?? 'its repository'}.`;
    case 'GitOperationFailed':
    case 'OCIArtifactPullFailed':
    case 'BucketOperationFailed':
    case 'IndexationFailed':
      return `${observation.ref.kind} ${observation.ref.name} cannot fetch ${observation.target?.url ?? 'what it points to'}.`;
    case 'ReconcileError':
      return summary.fault === 'observe'
        ? `The provider cannot look at what ${observation.ref.name} stands for.`
        : undeclared(observation, summary.message);
    default:
      break;
  }
  switch (summary.fault) {
    case 'apply':
      return undeclared(observation, summary.message);
    case 'health':
      return `${observation.ref.kind} ${observation.ref.name} is there, but does not work.`;
    case 'observe':
      return `Its reconciler cannot look at what ${observation.ref.name} stands for.`;
    case 'dependency':
      return `${observation.ref.kind} ${observation.ref.name} waits for what it depends on.`;
    case 'artifact':
      if (observation.role === 'source') return `${title(observation)} has nothing to make its artifact from.`;
      return `${observation.ref.kind} ${observation.ref.name} cannot get what it should apply.`;
    case 'fetch':
      return `${observation.ref.kind} ${observation.ref.name} cannot fetch ${observation.target?.url ?? 'what it points to'}.`;
    case 'approval':
      return `What ${title(observation)} has planned${planned(observation)} waits until somebody approves it.`;
  }
}
