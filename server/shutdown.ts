/** Tells by `/readyz` that a server stops, some time before it does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HealthCheck } from '../runtime/server/index.js';

/** The end of a server. */
export interface Shutdown {
  /** The check of readiness that fails from the beginning of the end; the reference has it under the same name. */
  readonly check: HealthCheck;
  /** From now on the server is not ready. Resolves once those who send it requests have had time to notice. */
  begin(): Promise<void>;
}

export function defineShutdown(delayMs = 0): Shutdown {
  let hasBegun = false;
  return {
    check: { name: 'shutdown', problem: () => (hasBegun ? 'process is shutting down' : ''), readinessOnly: true },
    async begin() {
      hasBegun = true;
      if (delayMs > 0) await sleep(delayMs);
    },
  };
}
