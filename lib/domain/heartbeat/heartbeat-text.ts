import type { Heartbeat } from './controller-liveness.ts';
import type { Evidence } from '../verdict/judgement.ts';

/** Why a controller does not turn its loop, as the beginning of a sentence; for a heartbeat that is dead. */
export function deadText({ name, sign }: Heartbeat): string {
  switch (sign) {
    case 'stuck':
      return `${name} is stuck: its pod is available, but its lease does not move any more`;
    case 'no-pod':
      return `${name} has no pod that is available`;
    case 'scaled-to-zero':
      return `${name} is scaled to zero`;
    case 'lease-stands':
    case 'lease-moves':
    case 'pod-available':
    case 'pod-doubted':
    case 'lease-unmoved':
    case 'not-known':
    case 'not-searched':
    case 'too-many':
    case 'which-one':
    case 'nobody':
      return `${name} has stopped: its lease does not move any more`;
  }
}

/** Why nothing tells whether a controller lives, as the end of a sentence; for a heartbeat that is unknown. */
export function unknownText({ name, sign, at }: Heartbeat): string {
  switch (sign) {
    case 'lease-unmoved':
      return at === null
        ? `the lease of ${name} was never seen moving`
        : `the lease of ${name} has not been seen moving since the cluster is seen again`;
    case 'pod-doubted':
      return `nothing shows that the status of the Deployment of ${name} was written since the cluster is seen again`;
    case 'which-one':
      return `some of the instances of ${name} have stopped, and which of them it is of cannot be told`;
    case 'not-searched':
      return `controllers are labelled in more namespaces than are looked at, and ${name} may run in another`;
    case 'too-many':
      return `there are more instances of ${name} than are told apart`;
    case 'nobody':
      return `no instance of ${name} is known that takes it`;
    case 'not-known':
    case 'lease-moves':
    case 'pod-available':
    case 'lease-stands':
    case 'stuck':
    case 'no-pod':
    case 'scaled-to-zero':
      return `neither a lease nor a Deployment of ${name} can be seen`;
  }
}

/** The sign of life that is missing, by the name under which it can be looked up. */
export function heartbeatEvidence(heartbeat: Heartbeat): Evidence {
  return { from: 'heartbeat', text: evidenceText(heartbeat), at: heartbeat.at };
}

function evidenceText({ name, sign, lease, deployment, stateful, at }: Heartbeat): string {
  const pods = `${stateful ? 'StatefulSet' : 'Deployment'} ${deployment ?? name}`;
  switch (sign) {
    case 'lease-moves':
      return `lease ${lease ?? name} moves`;
    case 'pod-available':
      return `${pods} is available`;
    case 'pod-doubted':
      return `${pods} says what it said before the cluster was out of sight`;
    case 'lease-stands':
      return `lease ${lease ?? name} has not moved since`;
    case 'stuck':
      return `${pods} is available, but lease ${lease ?? name} has not moved since`;
    case 'no-pod':
      return `${pods} has no available pod`;
    case 'scaled-to-zero':
      return `${pods} is scaled to 0`;
    case 'lease-unmoved':
      return at === null ? `lease ${lease ?? name} was never seen moving` : `lease ${lease ?? name} seen moving last`;
    case 'not-known':
      return `no lease and no Deployment of ${name} can be seen`;
    case 'not-searched':
      return `${name} may run in a namespace that is not looked at`;
    case 'too-many':
      return `${name} has more instances than are told apart`;
    case 'which-one':
      return `some instances of ${name} live and some do not`;
    case 'nobody':
      return `no instance of ${name} takes objects of this namespace and shard`;
  }
}
