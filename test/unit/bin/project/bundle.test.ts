import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { bundleProject } from '../../../../bin/project/bundle.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

it('reports that the page is not built before it writes anything', async () => {
  const directory = mkdtempSync(join(folder, 'project-'));
  const project = {
    file: join(directory, 'kindforge.config.ts'),
    directory,
    schemas: undefined,
    out: join(directory, 'generated'),
    naming: 'kubernetes',
    static: resolve('web/dist'),
    emitters: [],
    handlers: [],
    admissionPlugins: [],
    authenticators: [],
    authorizers: [],
    controllers: [],
    serve: {},
    sources: [],
  } as const;
  await expect(bundleProject(project, join(directory, 'out'))).rejects.toThrow(
    'static: web/dist has no index.html; build the page first',
  );
});
