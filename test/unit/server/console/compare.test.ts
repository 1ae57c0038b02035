/** Comparing definitions for the console. The tests use small programs in place of the command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defineTokenFile } from '../../../../plugins/index.js';
import type { ApiRequest } from '../../../../runtime/server/index.js';
import { defineComparison, diffPath } from '../../../../server/console/compare.js';
import { startServer } from '../../../../server/index.js';
import { requestOf, textOf } from '../../../support/api-requests.js';

const folder = mkdtempSync(join(tmpdir(), 'kindforge-compare-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a program that runs this text. */
function program(name: string, text: string): string {
  const path = join(folder, `${name}.cjs`);
  writeFileSync(path, text);
  return path;
}

const request = (body: unknown): ApiRequest =>
  requestOf({ method: 'POST', path: diffPath, body: typeof body === 'string' ? body : JSON.stringify(body) });

const sides = { old: 'kind: A', new: 'kind: B' };

describe('a comparison', () => {
  it.each([0, 1])("answers with the command's output for both definitions and exit code %i", async (code) => {
    const command = program(
      `prints-${code}`,
      `const read = (name) => require('node:fs').readFileSync(name, 'utf8');
       console.log(JSON.stringify([process.argv.slice(2), read('old.yaml'), read('new.yaml')]));
       process.exitCode = ${code};`,
    );
    const answer = await defineComparison(command).answer(request(sides));
    expect(answer.code).toBe(200);
    expect(JSON.parse(textOf(answer))).toEqual([
      ['diff', 'old.yaml', 'new.yaml', '--format', 'json'],
      'kind: A',
      'kind: B',
    ]);
  });

  it("answers with the command's errors for definitions with mistakes", async () => {
    const command = program('fails', `console.error('kindforge: new.yaml:3: must be a map'); process.exitCode = 2;`);
    const answer = await defineComparison(command).answer(request(sides));
    expect(answer.code).toBe(422);
    expect(JSON.parse(textOf(answer)).message).toBe('new.yaml:3: must be a map');
  });

  it.each(['', '[]', 'null', '{"old": 1, "new": ""}', { old: '' }])('refuses the body %j', async (body) => {
    expect((await defineComparison(program('none', '')).answer(request(body))).code).toBe(400);
  });

  it('runs one command at a time, and the next one after it', async () => {
    const path = defineComparison(program('slow', 'setTimeout(() => console.log("{}"), 300)'));
    const answers = await Promise.all([path.answer(request(sides)), path.answer(request(sides))]);
    expect(answers.map(({ code }) => code)).toEqual([200, 429]);
    expect((await path.answer(request(sides))).code).toBe(200);
  });

  it('stops a command that prints without end', async () => {
    const command = program('endless', 'for (;;) require("node:fs").writeSync(1, "x".repeat(65536));');
    expect((await defineComparison(command).answer(request(sides))).code).toBe(504);
  });

  it('passes no secret of the environment', async () => {
    process.env.SECRET_OF_TEST = 'x';
    const command = program('environment', 'console.log(JSON.stringify(Object.keys(process.env)))');
    expect(textOf(await defineComparison(command).answer(request(sides)))).not.toContain('SECRET_OF_TEST');
  });

  it('is for all users that the server knows, at a server with a console', async () => {
    const users = defineTokenFile('of-jane,jane,1');
    if (!users.ok) throw new Error(users.problem);
    const authentication = { anonymous: 'anonymous', authenticators: [users.authenticator] } as const;
    const server = await startServer({ storage: 'memory', console: true, controllers: [], authentication });
    const bare = await startServer({ storage: 'memory', controllers: [], authentication });
    try {
      const url = `${server.url}${diffPath}`;
      const post = { method: 'POST', body: JSON.stringify({}) };
      const ofJane = { authorization: 'Bearer of-jane' };
      expect((await fetch(url, { ...post, headers: ofJane })).status).toBe(400);
      expect((await fetch(`${bare.url}${diffPath}`, { ...post, headers: ofJane })).status).toBe(403);
      expect((await fetch(url, post)).status).toBe(403);
      expect((await fetch(url, { ...post, headers: { ...ofJane, origin: 'https://a.example' } })).status).toBe(403);
      const code = server.consoleLink?.().split('#code=')[1];
      const signedIn = await fetch(`${server.url}/console/api/sign-in`, {
        method: 'POST',
        body: JSON.stringify({ code }),
      });
      const { token } = await signedIn.json();
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(url, { ...post, headers })).status).toBe(400);
      expect((await fetch(url, { method: 'PUT', headers })).status).toBe(405);
      // The rights to objects are still listed in full.
      const reviews = `${server.url}/apis/authorization.platform.io/v1/selfsubjectrulesreviews`;
      const review = await fetch(reviews, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ spec: { namespace: 'default' } }),
      });
      expect((await review.json()).status.incomplete).toBe(false);
    } finally {
      await Promise.all([server.stop(), bare.stop()]);
    }
  });
});
