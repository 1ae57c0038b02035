/** Waits for the end of the process that has started this one, however it ends. */

/** How often it is looked for, milliseconds. Nothing tells a program of the end of its parent. */
const lookMs = 100;

/** Resolves once the parent has ended. */
export function untilParentEnds(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isThere(parent)) return;
      clearInterval(timer);
      resolve();
    }, lookMs);
    timer.unref();
  });
}

/** Orphans are given another parent; on Windows they keep the number of theirs. */
function isThere(parent: number): boolean {
  if (process.ppid !== parent) return false;
  try {
    process.kill(parent, 0);
    return true;
  } catch (error) {
    // The parent may be another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
