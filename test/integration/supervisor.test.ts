import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScene, type Recorded, type Scene, untilGone } from './supervised/scene.ts';

/** The promise: everything ends within 5 s. */
const withinMs = 5000;

let scene: Scene;
beforeEach(() => {
  scene = makeScene();
});
afterEach(() => scene.remove());

function named(recorded: readonly Recorded[], name: string): Recorded {
  const found = recorded.find((process) => process.name === name);
  if (found === undefined) throw new Error(`${name} has not started`);
  return found;
}

describe('the supervisor', () => {
  it('ends its children on SIGTERM, in order, and exits with 0', async () => {
    const supervisor = scene.supervise('honest-child.ts', 'honest-child.ts');
    const recorded = await scene.recorded(3);
    const exited = once(supervisor, 'exit');
    supervisor.kill('SIGTERM');
    await untilGone(
      recorded.map(({ pid }) => pid),
      withinMs,
    );
    expect(await exited).toEqual([0, null]);
    expect(scene.kept()).toBe(2);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('on %s ends a child in order that is only just ready', async (signal) => {
    const supervisor = scene.supervise('late-child.ts');
    const recorded = await scene.recorded(2);
    supervisor.kill(signal);
    await untilGone(
      recorded.map(({ pid }) => pid),
      withinMs,
    );
    expect(scene.kept()).toBe(1);
  });

  it('takes its children with it when it is killed, and they keep what they hold', async () => {
    const supervisor = scene.supervise('honest-child.ts', 'honest-child.ts');
    const recorded = await scene.recorded(3);
    supervisor.kill('SIGKILL');
    await untilGone(
      recorded.map(({ pid }) => pid),
      withinMs,
    );
    expect(scene.kept()).toBe(2);
  });

  it('kills a child that hears nothing before 5 s have passed', async () => {
    const supervisor = scene.supervise('stubborn-child.ts', 'honest-child.ts');
    const recorded = await scene.recorded(3);
    supervisor.kill('SIGTERM');
    const took = await untilGone(
      recorded.map(({ pid }) => pid),
      withinMs,
    );
    expect(took).toBeGreaterThan(3000);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('starts a child again that ended by %s', async (signal) => {
    const supervisor = scene.supervise('honest-child.ts');
    const first = named(await scene.recorded(2), 'honest');
    process.kill(first.pid, signal);
    const recorded = await scene.recorded(3);
    expect(recorded.filter(({ name }) => name === 'honest')).toHaveLength(2);
    supervisor.kill('SIGTERM');
    await untilGone(
      recorded.map(({ pid }) => pid),
      withinMs,
    );
  });

  it('ends with the code of a child that cannot run, and ends the others', async () => {
    const supervisor = scene.supervise('honest-child.ts', 'refusing-child.ts');
    expect(await once(supervisor, 'exit')).toEqual([78, null]);
    await untilGone(
      (await scene.recorded(1)).map(({ pid }) => pid),
      withinMs,
    );
  });
});

describe('npm', () => {
  it.each([
    ['npm', 'SIGTERM'],
    ['npm', 'SIGKILL'],
    ['runner', 'SIGTERM'],
    ['runner', 'SIGKILL'],
    ['supervisor', 'SIGTERM'],
    ['supervisor', 'SIGKILL'],
  ] as const)('leaves nothing behind when the %s gets %s', async (whom, signal) => {
    const npm = scene.npm('plumbline', 'honest-child.ts', 'honest-child.ts');
    const recorded = await scene.recorded(3);
    const supervisor = named(recorded, 'supervisor');
    const targets = { npm: npm.pid ?? 0, runner: supervisor.parent, supervisor: supervisor.pid };
    process.kill(targets[whom], signal);
    await untilGone([...recorded.map(({ pid }) => pid), targets.npm, targets.runner], withinMs);
    expect(scene.kept()).toBe(2);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends the whole family of a tool when npm gets %s', async (signal) => {
    const npm = scene.npm('bench');
    const recorded = await scene.recorded(2);
    npm.kill(signal);
    // A grandchild that hears nothing is killed with the group, at the latest after the guard's own deadline.
    const family = recorded.map(({ pid }) => pid);
    expect(await untilGone(family, withinMs + 1000)).toBeLessThan(withinMs + 1000);
  });
});
