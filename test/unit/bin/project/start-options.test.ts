import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../../../bin/project/index.js';
import { withoutUnbuiltPages, withProject } from '../../../../bin/project/start-options.js';
import type { Authorizer } from '../../../../runtime/contract/index.js';
import { builtinKinds } from '../../../../server/builtin-kinds.js';
import { startServer } from '../../../../server/start-server.js';
import { moduleOf } from '../../../support/modules.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { hostWith } from '../../plugins/admission/attributes.js';

const bare: Project = {
  file: '/p/kindforge.config.ts',
  directory: '/p',
  schemas: '/p/schemas',
  out: '/p/generated',
  naming: 'kubernetes',
  emitters: [],
  handlers: [],
  admissionPlugins: [],
  authenticators: [],
  authorizers: [],
  controllers: [],
  serve: {},
  sources: [],
};

const authorizer = (name: string, decision: 'allow' | 'no opinion'): Authorizer => ({
  name,
  decide: () => ({ decision }),
});

const controller = { name: 'maker', run: async () => {} };

describe('withProject', () => {
  it('calls the hooks and routes of both; a stop begins with the hook of the project', async () => {
    const called: string[] = [];
    const note = (name: string) => () => void called.push(name);
    const own = { onStart: note('start'), onStop: note('stop'), routes: note('routes') };
    const theirs = { onStart: note('their start'), onStop: note('their stop'), routes: note('their routes') };
    const { onStart, onStop, routes, pages } = withProject(own, { ...bare, ...theirs, static: '/p/web' });
    const server = await startServer({ http: false, controllers: [] });
    routes?.(server);
    await onStart?.(server);
    await onStop?.(server);
    await server.stop();
    expect(called).toEqual(['routes', 'their routes', 'start', 'their start', 'their stop', 'stop']);
    expect(pages).toBe('/p/web');
  });

  it('uses folder and names of the project if the options have none', () => {
    expect(withProject({}, bare)).toMatchObject({ schemas: '/p/schemas', naming: 'kubernetes' });
    expect(withProject({ schemas: 'mine', naming: 'platform' }, bare)).toMatchObject({
      schemas: 'mine',
      naming: 'platform',
    });
  });

  it('names the file of a plugin that cannot start', () => {
    const start = (): void => {
      throw new Error('no gates');
    };
    const admissionPlugins = [{ name: 'One', handles: () => true, start }];
    const [plugin] = withProject({}, { ...bare, file: resolve('own.ts'), admissionPlugins }).admission?.plugins ?? [];
    expect(() => plugin?.start?.(hostWith())).toThrow('no gates (in own.ts)');
  });

  it('adds the parts of the project after the parts of the options', () => {
    const plugin = { name: 'One', handles: () => true };
    const handlers = [{ resource: moduleOf('shop.example.com', 'widgets', 'Widget') }];
    const options = withProject(
      { controllers: ['namespace'], admission: { disable: ['LimitRanger'], plugins: [{ ...plugin, name: 'Zero' }] } },
      { ...bare, handlers, admissionPlugins: [plugin], controllers: [controller] },
    );
    expect(options.kinds).toEqual([builtinKinds, { handlers }]);
    expect(options.admission?.disable).toEqual(['LimitRanger']);
    expect(options.admission?.plugins?.map(({ name }) => name)).toEqual(['Zero', 'One']);
    expect(options.controllers).toEqual(['namespace', controller]);
    expect(withProject({}, { ...bare, controllers: [controller] }).controllers).toEqual(['*', controller]);
  });

  it('asks authorizers in order, after the modes', async () => {
    expect(withProject({}, bare).authorization).toBeUndefined();
    const project = { ...bare, authorizers: [authorizer('a', 'no opinion'), authorizer('b', 'allow')] };
    const { authorization } = withProject({}, project);
    expect(authorization?.modes).toEqual(['RBAC']);
    expect(authorization?.authorizer?.name).toBe('a,b');
    const own = withProject({ authorization: { authorizer: authorizer('own', 'no opinion') } }, project);
    expect(own.authorization?.modes).toEqual([]);
    expect(own.authorization?.authorizer?.name).toBe('own,a,b');
    expect(withProject({ authorization: { configFile: 'a' } }, project).authorization).not.toHaveProperty('modes');
    expect(withProject({ authorization: { modes: ['ABAC'] } }, project).authorization?.modes).toEqual(['ABAC']);
  });
});

describe('withoutUnbuiltPages', () => {
  it('leaves out a folder of pages without index.html, until it is built', () => {
    const pages = mkdtempSync(join(scratchFolder(), 'pages-'));
    const project = { ...bare, static: pages };
    expect(withoutUnbuiltPages(project).static).toBeUndefined();
    expect(withoutUnbuiltPages({ ...bare, static: join(pages, 'nowhere') }).static).toBeUndefined();
    writeFileSync(join(pages, 'index.html'), '');
    expect(withoutUnbuiltPages(project)).toBe(project);
  });
});
