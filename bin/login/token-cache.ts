/** Keeps the tokens of logins in files that only their owner can read, one for each client of a provider. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Refusal } from '../objects/failure.js';
import { fieldsOf } from '../objects/printing.js';
import type { LoginFlags, LoginPeople, LoginSettings, Tokens } from './settings.js';

/** Returns the file of a login, below the home folder. Each combination of settings has its own file. */
export function tokenFile(
  { user }: Pick<LoginFlags, 'user'>,
  { issuer, clientId, scopes }: Pick<LoginSettings, 'issuer' | 'clientId' | 'scopes'>,
  home: string = process.env.HOME ?? homedir(),
): string {
  const name = createHash('sha256')
    .update(JSON.stringify([user, issuer, clientId, scopes]))
    .digest('hex')
    .slice(0, 32);
  return join(home, '.kube', 'cache', 'kindforge-login', `${name}.json`);
}

/** Returns the tokens of a file; `undefined` if there are none, or if it is damaged. */
export function readTokens(file: string): Tokens | undefined {
  try {
    const { idToken, refreshToken } = fieldsOf(JSON.parse(readFileSync(file, 'utf8')));
    if (typeof idToken !== 'string') return undefined;
    return { idToken, ...(typeof refreshToken === 'string' ? { refreshToken } : {}) };
  } catch {
    return undefined;
  }
}

/** Replaces the file as a whole. */
export function writeTokens(file: string, tokens: Tokens): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, JSON.stringify(tokens), { mode: 0o600 });
  renameSync(fresh, file);
}

/** The time between two attempts to take the lock, milliseconds. */
const turnMs = 200;

/** Runs a job while no other process runs one for the same file. Rejects if others take longer than `mostMs`. */
export async function withLock<T>(
  file: string,
  mostMs: number,
  { sleep }: Pick<LoginPeople, 'sleep'>,
  job: () => Promise<T>,
): Promise<T> {
  const lock = `${file}.lock`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  for (let waited = 0; !take(lock); waited += turnMs) {
    if (waited > mostMs) {
      throw new Refusal(
        `another kindforge login (process ${holderOf(lock)}) has been waiting for somebody to log in for ${mostMs / 1000} s`,
        'Log in there, or end that process',
      );
    }
    await sleep(turnMs);
  }
  try {
    return await job();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock if it is free. Removes the lock of a process that has ended, for the next attempt. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if (!isAlive(holderOf(lock))) rmSync(lock, { force: true });
  return false;
}

function holderOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return Number.NaN;
  }
}

/**
 * Returns whether the holder of a lock still runs. A lock that is not written completely names no process, and counts
 * as held.
 */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
