/** Gives memory back soon after a server has become quiet. */
import { setFlagsFromString } from 'node:v8';

/** How often it is looked whether there is work, milliseconds. */
const intervalMs = 1000;

/** CPU time of an interval without work, microseconds; collecting garbage, which is what follows, may take as much. */
const quietMicroseconds = 100_000;

/** Intervals without work after which a server is quiet. */
const quietIntervals = 3;

/** What tells how much CPU time the process has used, in microseconds. */
export interface CpuMeter {
  cpuUsage(): { readonly user: number; readonly system: number };
}

/**
 * V8 enlarges its memory while there is much work, and gives it back, in steps of some milliseconds, once it sees that
 * little is allocated. Where nothing at all is, it does not see that, and waits 100 seconds; therefore it is told to favour
 * memory over speed while the server is quiet. Returns what ends that.
 */
export function giveBackWhenQuiet(meter: CpuMeter = process, favourMemory = setFavour): () => void {
  let before = usedBy(meter);
  let quietFor = 0;
  let favoured = false;
  const favour = (memory: boolean): void => {
    if (memory !== favoured) favourMemory(memory);
    favoured = memory;
  };
  const look = (): void => {
    const now = usedBy(meter);
    quietFor = now - before < quietMicroseconds ? quietFor + 1 : 0;
    before = now;
    favour(quietFor >= quietIntervals);
  };
  const looking = setInterval(look, intervalMs).unref();
  return () => {
    clearInterval(looking);
    favour(false);
  };
}

function usedBy(meter: CpuMeter): number {
  const { user, system } = meter.cpuUsage();
  return user + system;
}

const setFavour = (memory: boolean): void => setFlagsFromString(`--${memory ? '' : 'no-'}optimize-for-size`);
