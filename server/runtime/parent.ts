const pollMs = 250;

/**
 * Calls `task` once when the process that started this one is gone: its channel closes, or this process is handed to
 * another parent. Does not keep the process alive. Gives a function that stops watching.
 */
export function whenParentEnds(task: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) end();
  }, pollMs);
  timer.unref();
  process.once('disconnect', end);
  // Gone while this program was still being loaded: nobody tells it again, and its parent is another one already.
  const late = process.send !== undefined && !process.connected ? setImmediate(end) : null;
  // A listener keeps the channel, and with it the process, alive: the work decides that, not the channel.
  process.channel?.unref();

  function stop(): void {
    clearInterval(timer);
    if (late !== null) clearImmediate(late);
    process.off('disconnect', end);
  }

  function end(): void {
    stop();
    task();
  }

  return stop;
}
