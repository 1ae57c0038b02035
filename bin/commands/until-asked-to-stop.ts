/** Waits for the signals by which a process is told to stop. */
const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** Resolves at the first signal, and never rejects; whichever comes second then does what it does to any process. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve();
    };
    for (const signal of stopSignals) process.on(signal, stop);
  });
}
