/**
 * Compares two definitions for the console. Runs `kindforge diff` in its own process, because a comparison may take
 * long.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Authorizer } from '../../runtime/contract/index.js';
import type { ApiRequest, ApiResponse, OwnPath } from '../../runtime/server/index.js';

/** The request of the console for a comparison. Its body is `{"old": "…", "new": "…"}`, each a definition in YAML. */
export const diffPath = '/console/api/diff';

/** The path. It only uses the body of a request. */
export interface Comparison extends OwnPath {
  readonly answer: (request: Pick<ApiRequest, 'readBody'>) => Promise<Answer>;
}

type Answer = ApiResponse & { readonly body: Uint8Array };

/** The size limit of a body, bytes: two definitions of the largest size that a store takes. */
const mostBytes = 6 * 1024 * 1024;
const longestMs = 60_000;
const mostPrintedBytes = 16 * 1024 * 1024;

/** Lets authenticated users compare, because the answer shows them nothing of the server. */
export const comparing: Authorizer = {
  name: 'console',
  decide: (attributes) =>
    'path' in attributes &&
    attributes.path === diffPath &&
    attributes.verb === 'post' &&
    attributes.user.groups.includes('system:authenticated')
      ? { decision: 'allow' }
      : noOpinion,
  // This path is not part of the API, and its right is not listed.
  rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};

const noOpinion = { decision: 'no opinion' } as const;

/** Returns the path. One comparison runs at a time. */
export function defineComparison(command: string | undefined = findCommand()): Comparison {
  let busy = false;
  return {
    path: diffPath,
    method: 'POST',
    isUnlisted: true,
    async answer(request: Pick<ApiRequest, 'readBody'>) {
      if (command === undefined) return refusal(404, 'NotFound', 'the command kindforge is not beside this server');
      if (busy) return refusal(429, 'TooManyRequests', 'another comparison is running; try again in a minute');
      busy = true;
      try {
        return await answerComparison(request, command);
      } finally {
        busy = false;
      }
    },
  };
}

async function answerComparison(request: Pick<ApiRequest, 'readBody'>, command: string): Promise<Answer> {
  const body = await request.readBody(mostBytes);
  if (!body.ok) return refusal(413, 'RequestEntityTooLarge', `the definitions must have at most ${mostBytes} bytes`);
  const sides = readSides(body.value);
  if (!sides) return refusal(400, 'BadRequest', 'the body must be {"old": "…", "new": "…"}, each a definition in YAML');
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-diff-'));
  try {
    await writeFile(join(folder, 'old.yaml'), sides.old);
    await writeFile(join(folder, 'new.yaml'), sides.new);
    return toAnswer(await run(command, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readSides(body: Uint8Array): { readonly old: string; readonly new: string } | undefined {
  try {
    const sides: unknown = JSON.parse(Buffer.from(body).toString());
    if (typeof sides !== 'object' || sides === null || !('old' in sides && 'new' in sides)) return undefined;
    const { old, new: next } = sides;
    return typeof old === 'string' && typeof next === 'string' ? { old, new: next } : undefined;
  } catch {
    return undefined;
  }
}

/** The exit code and the output of the command. The code is `null` if the command was stopped. */
interface Ended {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: string;
}

function run(command: string, folder: string): Promise<Ended> {
  const args = ['--max-old-space-size=1024', command, 'diff', 'old.yaml', 'new.yaml', '--format', 'json'];
  const { PATH = '' } = process.env;
  // The command reads texts of any user, so it must not get the secrets in the server's environment.
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
  });
  const out: Buffer[] = [];
  let bytes = 0;
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostPrintedBytes) child.kill();
    else out.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err = (err + chunk.toString()).slice(-10_000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, out: Buffer.concat(out), err }));
  });
}

/** The exit code of `kindforge diff` for definitions with mistakes. */
const failed = 2;

function toAnswer({ code, out, err }: Ended): Answer {
  if (code === 0 || code === 1) {
    return { code: 200, contentType: 'application/json', headers: { 'cache-control': 'no-store' }, body: out };
  }
  if (code === failed) return refusal(422, 'Invalid', err.replaceAll('kindforge: ', '').trim());
  return refusal(504, 'Timeout', 'the comparison is too large for the console; run kindforge diff OLD NEW');
}

function refusal(code: number, reason: string, message: string): Answer {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { code, contentType: 'application/json', headers: {}, body: Buffer.from(JSON.stringify(status)) };
}

/** Places of the command, relative to this code: in a build, in the modules of the package, and in a checkout. */
const places = ['./kindforge.cjs', '../bin/kindforge.cjs', '../../bin/kindforge.cjs', '../../bin/run.mjs'];

/** Returns the file of the command; `undefined` in a bundle, because it has no such file. */
function findCommand(): string | undefined {
  const here = fileURLToPath(new URL('.', import.meta.url));
  return places.map((place) => join(here, place)).find((path) => existsSync(path));
}
