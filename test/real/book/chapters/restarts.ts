import { configMapFile } from '../../fixtures/control-files.ts';
import { commits } from '../deeds.ts';
import { says } from '../checks/says.ts';
import { type Chapter, type Check, noteOf, type Situation, type Stage } from '../situation.ts';
import { kustomizationOf } from '../subjects.ts';

const remembered = ['unknown-kind', 'never-ready', 'edge'];

async function noteOnsets(stage: Stage): Promise<void> {
  for (const name of remembered) {
    const object = await stage.plumbline.object(kustomizationOf('alpha', name));
    if (object !== null) stage.notes.set(`onset of ${name}`, object.onset.time);
  }
}

/** Verdicts that stand as before began when they began, not at the restart. */
const onsetsKept: Check = {
  expects: `the onsets of ${remembered.join(', ')} are what they were`,
  async find(stage) {
    const wrong: string[] = [];
    for (const name of remembered) {
      const object = await stage.plumbline.object(kustomizationOf('alpha', name));
      const before = noteOf(stage, `onset of ${name}`);
      if (object === null) wrong.push(`${name} is not known any more`);
      else if (object.onset.time !== before) wrong.push(`that of ${name} is ${object.onset.time}, was ${before}`);
    }
    return { fits: wrong.length === 0, got: wrong.join('; ') };
  },
};

function restart(signal: 'SIGTERM' | 'SIGKILL', how: string): Situation {
  const note = `committed while ended by ${signal}`;
  return {
    name: `Plumbline is ${how}, a commit arrives, and it starts again`,
    within: 90_000,
    async act(stage) {
      await noteOnsets(stage);
      const { took, left } = await stage.plumbline.end(signal);
      await commits('control', note, `Commit while nobody watches (${signal})`, {
        'clusters/production/rolling/configmap.yaml': configMapFile('rolling', signal),
      })(stage);
      await stage.plumbline.begin();
      if (took > 5_000) throw new Error(`it took ${took} ms to end, more than 5 s`);
      if (left.length > 0) throw new Error(`${left.length} of its processes were left 5 s after it had ended`);
    },
    checks: [
      onsetsKept,
      says(kustomizationOf('alpha', 'rolling'), { verdict: 'converged', commit: note }),
      says(kustomizationOf('alpha', 'unknown-kind'), { verdict: 'diverged', away: true }),
      says(kustomizationOf('beta', 'base'), { verdict: 'converged', commit: note }),
    ],
    never: [{ subject: kustomizationOf('alpha', 'base'), verdicts: ['diverged', 'drifted', 'unhealthy', 'suspended'] }],
  };
}

/** Plumbline itself ends, politely and not, and comes back. */
export const restarts: Chapter = {
  name: 'restarts',
  title: 'Plumbline itself ends',
  situations: [restart('SIGTERM', 'ended (SIGTERM)'), restart('SIGKILL', 'killed (SIGKILL)')],
};
