/** Starts the bed with its whole fleet and keeps it until Ctrl-C: for looking at it with kubectl or with Plumbline. */
import { once } from 'node:events';
import { type BuiltProgram, buildPrograms } from './build.ts';
import { deployFleet } from './fixtures/fleet.ts';
import { essential, startBed } from './harness/bed.ts';
import type { ProgramName } from './programs.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const built = new Map<ProgramName, BuiltProgram>();
for (const result of (await buildPrograms(say)).values()) {
  if (result.type === 'built') built.set(result.program, result);
}
if (!essential.every((name) => built.has(name))) {
  say(`the bed needs ${essential.join(', ')}`);
  process.exit(1);
}
const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const bed = await startBed(built, say);
await deployFleet(bed, {
  helm: built.has('helm-controller'),
  nop: built.has('provider-nop'),
});
for (const cluster of [bed.alpha, bed.beta]) {
  say(
    `${cluster.name}: KUBECONFIG=${cluster.adminKubeconfig} (administrator), ${cluster.plumblineKubeconfig} (read-only)`,
  );
}
say(`control repository: ${bed.gitUrl('control.git')}; logs: ${bed.folder}/logs; Ctrl-C ends everything`);
await interrupted;
await bed.stop();
