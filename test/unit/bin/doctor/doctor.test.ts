/** Each check finds the fault, and prints the cure. */
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { judge as judgeCertificate } from '../../../../bin/doctor/certificates.js';
import { data } from '../../../../bin/doctor/data.js';
import type { Subject } from '../../../../bin/doctor/finding.js';
import { judge as judgePackage, uses } from '../../../../bin/doctor/packages.js';
import {
  clock,
  generated,
  judge as judgeNode,
  ports,
  project,
  runDoctor,
  server,
} from '../../../../bin/doctor/run-doctor.js';
import { emitters } from '../../../../generator/emit/index.js';
import { createGenerator } from '../../../../generator/index.js';
import { readManifest } from '../../../../server/kinds.js';
import { makeAuthority } from '../../../support/certificate-authority.js';
import { listenLocally } from '../../../support/local-server.js';
import { testFolder } from '../../../support/scratch-folder.js';
import { root } from '../../../support/shared.js';

describe('kindforge doctor', () => {
  let folder: string;
  let subject: Subject;
  beforeEach(() => {
    folder = testFolder();
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('kubeconfig'), 'clusters: []');
    subject = { schemas: at('schemas'), out: at('out'), data: at('data'), ports: [], kubeconfig: at('kubeconfig') };
  });

  it('requires a recent Node.js', () => {
    expect(judgeNode('20.15.0', '>=20.15').level).toBe('ok');
    expect(judgeNode('24.1.0', '>=20.15').level).toBe('ok');
    expect(judgeNode('20.9.0', '>=20.15')).toMatchObject({
      level: 'problem',
      advice: expect.stringContaining('20.15'),
    });
  });

  it('reports missing packages, and packages of the wrong release', () => {
    expect(judgePackage('@grpc/grpc-js', '^1.14.0', undefined)).toMatchObject({
      level: 'ok',
      message: expect.stringContaining('npm install @grpc/grpc-js'),
    });
    expect(judgePackage('db0', '^0.4.0', '0.4.2').level).toBe('ok');
    expect(judgePackage('db0', '^0.4.0', '0.5.0').level).toBe('warning');
    expect(judgePackage('protobufjs', '^8.8.0', '8.7.9').level).toBe('warning');
    expect(judgePackage('esbuild', '^0.28.0', undefined).message).toContain('kindforge bundle needs it');
  });

  it('knows what needs each optional package', () => {
    expect(Object.keys(uses).sort()).toEqual(Object.keys(readManifest().peerDependencies ?? {}).sort());
  });

  it('reports who has the data open, and which files others can read', async () => {
    mkdirSync(join(subject.data, 'credentials'), { recursive: true });
    chmodSync(subject.data, 0o700);
    chmodSync(join(subject.data, 'credentials'), 0o755);
    writeFileSync(join(subject.data, 'owner'), `${process.pid}\n`);
    const findings = await data.run(subject);
    expect(findings.map(({ level }) => level)).toEqual(['ok', 'warning', 'ok']);
    expect(findings[1]?.advice).toBe(`chmod go-rwx ${join(subject.data, 'credentials')}`);
    expect(findings[2]?.message).toContain(`process ${process.pid}`);
    writeFileSync(join(subject.data, 'owner'), '999999999\n');
    expect((await data.run(subject))[2]?.message).toContain('has ended');
  });

  it('reports data that are not a folder', async () => {
    writeFileSync(subject.data, '');
    expect(await data.run(subject)).toMatchObject([
      { level: 'problem', message: expect.stringContaining('is not a folder') },
    ]);
  });

  it('reports ports that are in use', async () => {
    const taken = createServer();
    const port = await listenLocally(taken);
    expect(await ports.run({ ...subject, ports: [port] })).toMatchObject([{ level: 'warning' }]);
    taken.close();
  });

  it('reports certificates that expire', async () => {
    const authority = await makeAuthority('CN=doctor');
    const at = (time: string): number => Date.parse(time);
    const { cert: certificate } = authority;
    expect(judgeCertificate('it', certificate).level).toMatch(/ok|warning/);
    expect(judgeCertificate('it', certificate, at('2999-01-01'))).toMatchObject({ level: 'problem' });
    expect(judgeCertificate('it', certificate, at('1999-01-01')).message).toContain('not valid before');
    expect(judgeCertificate('it', 'no PEM').message).toContain('is not a certificate');
  });

  it('compares its clock with the server’s', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(clock(new Date(now).toUTCString(), now, now + 10)[0]?.level).toBe('ok');
    expect(clock(new Date(now - 90_000).toUTCString(), now, now)[0]?.message).toMatch(/ahead of/);
    expect(clock(new Date(now + 90_000).toUTCString(), now, now)[0]?.message).toMatch(/behind/);
  });

  it('reports servers that do not answer, or refuse', async () => {
    expect(await server.run({ ...subject, server: 'http://127.0.0.1:1' })).toMatchObject([{ level: 'warning' }]);
    expect(await server.run(subject)).toMatchObject([
      { level: 'problem', message: expect.stringContaining('kubeconfig') },
    ]);
    const refusing = createServer((_request, response) => response.writeHead(401).end('no'));
    const port = await listenLocally(refusing);
    expect(await server.run({ ...subject, server: `http://127.0.0.1:${port}` })).toMatchObject([
      { level: 'problem', advice: expect.stringContaining('credentials') },
    ]);
    refusing.close();
  });

  it('reports code that differs from the definitions, and definitions with mistakes', async () => {
    expect(await generated.run(subject)).toMatchObject([{ level: 'ok' }]);
    cpSync(join(root, 'examples/shop/schemas'), subject.schemas, { recursive: true });
    createGenerator({ schemas: subject.schemas, out: subject.out }).run();
    expect(await generated.run(subject)).toMatchObject([
      { level: 'ok', message: expect.stringContaining('is up to date') },
    ]);
    rmSync(join(subject.out, 'registry.ts'));
    expect(await generated.run(subject)).toMatchObject([
      { level: 'warning', advice: expect.stringContaining('generate') },
    ]);
    writeFileSync(join(subject.schemas, 'bad.yaml'), 'kind: ResourceDefinition\n');
    expect(await generated.run(subject)).toMatchObject([{ level: 'problem' }]);
  });

  it('prints findings for people and for programs, and fails if there is a problem', async () => {
    const lines: string[] = [];
    const printing = { out: (line: string) => void lines.push(line), text: () => {}, error: () => {} };
    expect(await runDoctor(subject, 'text', printing)).toBe('refused');
    expect(lines.join('\n')).toMatch(/ok +node +Node\.js[\s\S]*problem +server[\s\S]*→ [\s\S]*1 problem, 0 warnings/);
    lines.length = 0;
    await runDoctor(subject, 'json', printing);
    expect(JSON.parse(lines.join('\n'))).toMatchObject({ problems: 1, findings: expect.any(Array) });
  });

  it('reports each mistake of the configuration, and nothing if there is none', async () => {
    const named = { ...subject, project: join(folder, 'kindforge.config.yaml') };
    writeFileSync(named.project, 'naming: kubernets\nemiters: []\n');
    const findings = await project.run(named);
    expect(findings.map(({ level }) => level)).toEqual(['problem', 'problem']);
    expect(findings[0]?.message).toMatch(/kindforge\.config\.yaml:1:9: naming is "kubernets"; expected /);
    writeFileSync(named.project, 'naming: kubernetes\n');
    expect(await project.run(named)).toMatchObject([{ level: 'ok' }]);
    expect(await project.run({ ...subject, project: 'none' })).toEqual([]);
  });

  it("does not treat files of the project's emitters as stale", async () => {
    cpSync(join(root, 'examples/shop/schemas'), subject.schemas, { recursive: true });
    const pages = { name: 'pages', emitModel: () => [{ path: 'pages.md', content: '# Pages\n' }] };
    createGenerator({ schemas: subject.schemas, out: subject.out, emitters: [...emitters, pages] }).run();
    expect(await generated.run(subject)).toMatchObject([{ level: 'warning' }]);
    expect(await generated.run({ ...subject, emitters: [pages] })).toMatchObject([{ level: 'ok' }]);
  });
});
