/** The relations of `examples/relations` as users of kubectl see them, also after a crash of the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type Kubectl, kubectlFor, printed } from '../support/kubectl.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { root } from '../support/shared.js';

const folder = scratchFolder();
const example = join(root, 'examples/relations');

const start = (): Promise<ServerProcess> => {
  const stored = ['--storage', `lmdb:${join(folder, 'data')}`];
  return startServerProcess('--schemas', join(example, 'schemas'), '--naming', 'kubernetes', ...stored);
};

const environment = (name: string, spec: string): string => `apiVersion: work.example.com/v1
kind: Environment
metadata: { name: ${name}, namespace: default }
spec: { ${spec} }
`;

describe.runIf(hasKubectl)('kubectl and relations', () => {
  let server: ServerProcess;
  let kubectl: Kubectl;
  beforeAll(async () => {
    server = await start();
    kubectl = kubectlFor(server.url);
  });
  afterAll(async () => {
    kubectl.close();
    await server.kill();
  });

  it('refuse a write with the field, and a delete with the object that prevents it', async () => {
    printed(await kubectl.pipe(readFileSync(join(example, 'objects.yaml'), 'utf8'), 'create', '-f', '-'));
    const misspelt = await kubectl.pipe(
      environment('test', 'project: gardn, host: a.example.com'),
      'create',
      '-f',
      '-',
    );
    expect(misspelt.err).toContain('spec.project: Not found: "gardn"');
    const copy = await kubectl.pipe(
      environment('copy', 'project: garden, host: garden.example.com'),
      'create',
      '-f',
      '-',
    );
    expect(copy.err).toContain(
      'spec.host: Duplicate value: "garden.example.com": environments.work.example.com "live" in namespace "default" has it',
    );
    const refused = await kubectl.run('delete', 'project', 'garden');
    expect(refused.err).toContain(
      'environments.work.example.com "live" in namespace "default" refers to it by spec.project; delete what refers to it first, or let it name another object',
    );
  });

  it('appear in explain', async () => {
    const explained = printed(await kubectl.run('explain', 'environments.spec.project'));
    expect(explained.replace(/\s+/g, ' ')).toContain('Names an existing Project. It cannot be deleted');
  });

  it('hold after a crash during a delete that clears fields and deletes other objects', async () => {
    printed(await kubectl.run('delete', 'environment', 'live', '--wait=false'));
    await server.kill();
    kubectl.close();
    server = await start();
    kubectl = kubectlFor(server.url);
    printed(await kubectl.run('wait', '--for=delete', 'environment/live', '--timeout=20s'));
    expect(printed(await kubectl.run('get', 'release', 'spring', '-o', 'jsonpath={.spec}'))).toBe(
      '{"project":"garden"}',
    );
    printed(await kubectl.run('delete', 'project', 'garden', '--timeout=20s'));
    expect((await kubectl.run('get', 'release', 'spring')).err).toContain('not found');
  });
});
