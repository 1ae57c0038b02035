/**
 * Tells systemd how the server is (sd_notify(3)), by the program `systemd-notify`: Node has no datagram sockets with names
 * in the file system, over which systemd wants to hear of it.
 */
import { execFile } from 'node:child_process';

/** Hears of the life of a service. */
export interface ServiceManager {
  /** The service serves. From now on it is told regularly that it is alive, where the manager watches for that. */
  ready(status: string): void;
  /** The service ends, and takes its time for it. */
  stopping(status: string): void;
  /** Resolves when all has been told. */
  done(): Promise<void>;
}

const nobody: ServiceManager = { ready: () => undefined, stopping: () => undefined, done: () => Promise.resolve() };

/** The manager that the environment names; one that hears nothing where it names none. */
export function serviceManager(env: NodeJS.ProcessEnv, onProblem: (problem: string) => void): ServiceManager {
  const { NOTIFY_SOCKET: socket } = env;
  if (!socket) return nobody;
  let hasFailed = false;
  const send = (assignments: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      execFile('systemd-notify', assignments, { env: { ...env, NOTIFY_SOCKET: socket } }, (error, _out, err) => {
        if (error && !hasFailed) onProblem(`systemd cannot be told of this server: ${err.trim() || error.message}`);
        hasFailed ||= error !== null;
        resolve();
      });
    });
  let told: Promise<void> = Promise.resolve();
  // One after the other: what is told last counts.
  const tell = (...assignments: readonly string[]): void => {
    told = told.then(() => send(assignments));
  };
  let watchdog: NodeJS.Timeout | undefined;
  return {
    ready(status) {
      tell('READY=1', `STATUS=${status}`);
      const everyMs = watchdogMs(env);
      if (everyMs !== undefined) watchdog = setInterval(() => tell('WATCHDOG=1'), everyMs).unref();
    },
    stopping: (status) => tell('STOPPING=1', `STATUS=${status}`),
    done() {
      clearInterval(watchdog);
      return told;
    },
  };
}

/** Half of the time after which systemd gives the process up, as it advises; `undefined` where it does not watch it. */
function watchdogMs({ WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: pid }: NodeJS.ProcessEnv): number | undefined {
  if (!/^\d{1,15}$/.test(microseconds) || (pid !== undefined && pid !== String(process.pid))) return undefined;
  const milliseconds = Number(microseconds) / 2000;
  return milliseconds >= 1 ? Math.min(milliseconds, 2 ** 31 - 1) : undefined;
}
