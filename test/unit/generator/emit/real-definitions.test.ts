/**
 * Definitions of other projects are emitted, type-check and are the same every time. By default the test takes a few
 * projects that together use everything. KINDFORGE_PROJECTS is the number of further projects.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import type { Model } from '../../../../generator/model/model.js';
import { effort } from '../../../support/effort.js';
import { emit, typeErrors } from './emitting.js';

const folder = fileURLToPath(new URL('../../../../../shared/crds/definitions/', import.meta.url));
const sample = ['cert-manager', 'karpenter', 'metallb', 'velero'];

const present = existsSync(folder);
const others = present ? readdirSync(folder).filter((name) => !sample.includes(name)) : [];
const projects = [...sample, ...others.slice(0, effort('KINDFORGE_PROJECTS', 0, 2))];

if (!present) console.warn(`skipped: no definitions in ${folder}`);

const modelOf = (project: string): Model => {
  const { model, diagnostics } = loadDefinitions(join(folder, project));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return model;
};

describe.skipIf(!present).each(projects)('%s', (project) => {
  let files: ReadonlyMap<string, string> = new Map();
  beforeAll(() => {
    files = emit(modelOf(project));
    expect(files.size).toBeGreaterThan(10);
  });

  it('type-checks under the strictest settings', () => expect(typeErrors(files, true)).toEqual([]));

  it('is the same every time', () => {
    expect([...emit(modelOf(project))]).toEqual([...files]);
  });

  it('has no shape twice and no type `any`', () => {
    for (const [path, content] of files) {
      if (!path.endsWith('/types.ts')) continue;
      const code = content.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/'[^'\n]*'/g, '');
      expect(code, path).not.toMatch(/\bany\b(?!\??:)/);
      const bodies = [...content.matchAll(/export interface \w+ (\{\n[\s\S]*?\n\})/g)].map((match) => match[1]);
      const repeated = bodies.filter((body, index) => bodies.indexOf(body) !== index);
      expect(repeated, path).toEqual([]);
    }
  });

  it('has tidy lines', () => {
    for (const [path, content] of files) {
      if (!path.endsWith('.ts')) continue;
      expect(content.endsWith('\n') && !content.endsWith('\n\n'), path).toBe(true);
      expect(content, path).not.toMatch(/[ \t]\n|\n\n\n|\t/);
    }
  });
});
