/** A new project type-checks, passes its own tests, and runs, in a folder that has nothing but the package. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDev } from '../support/dev-process.js';
import { buildPackage, linkModules } from '../support/package-build.js';
import { makeFolder } from '../support/project-folder.js';
import { root } from '../support/shared.js';

describe('kindforge init', () => {
  let parent: string;
  let project: string;
  const kindforge = (folder: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(parent, 'node_modules/kindforge/dist/bin/kindforge.cjs'), ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  beforeAll(() => {
    parent = makeFolder({});
    project = join(parent, 'my-shop');
    linkModules(parent);
    buildPackage(join(parent, 'node_modules/kindforge'));
  }, 400_000);
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it('writes a project, once', () => {
    const first = kindforge(parent, 'init', 'my-shop', '--yes', '--kind', 'Widget');
    expect(first.stderr).toBe('');
    expect(first.status).toBe(0);
    expect(first.stdout).toContain('my-shop/schemas/widgets.yaml\n');
    expect(first.stdout).toContain('  cd my-shop\n  npm install\n  npm run dev');
    const second = kindforge(parent, 'init', 'my-shop', '--yes');
    expect(second.status).toBe(1);
    expect(second.stderr).toContain('my-shop/package.json\n');
    expect(kindforge(parent, 'init', 'other', '--kind', 'widget').stderr).toContain('is no name in camel case');
  });

  it('writes one that type-checks, whose code is up to date, and whose tests pass', () => {
    run(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.');
    expect(kindforge(project, 'check').stderr).toContain('1 resource without errors');
    const checked = kindforge(project, 'generate', '--check');
    expect(`${checked.stdout}${checked.stderr}`).toContain('0 of');
    expect(run(join(root, 'node_modules/vitest/vitest.mjs'), 'run')).toContain('2 passed');
  });

  it('writes one that runs', async () => {
    const dev = await startDev(project, '--seed', 'seed');
    await dev.until('seed: 1 applied');
    const answer = await fetch(`${dev.url}/apis/my-shop.example.com/v1/namespaces/default/widgets/first`);
    expect(await answer.json()).toMatchObject({ spec: { size: 'small', count: 3 } });
    expect(await dev.stop()).toBe(0);
  });

  it('is what npm create kindforge runs', () => {
    cpSync(join(root, 'packages/create-kindforge'), join(parent, 'node_modules/create-kindforge'), { recursive: true });
    const create = join(parent, 'node_modules/create-kindforge/index.js');
    const created = execFileSync(process.execPath, [create, 'created', '--yes'], { cwd: parent, encoding: 'utf8' });
    expect(created).toContain('created/kindforge.config.ts\n');
  });
});
