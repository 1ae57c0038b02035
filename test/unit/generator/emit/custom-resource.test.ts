/** Definitions for other servers: they repeat the definition, and pass the checks of a CustomResourceDefinition. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import { toCustomResource } from '../../../../generator/emit/custom-resource.js';
import { printDefinition } from '../../../../generator/import/index.js';
import { builtInDefinitions } from '../../../support/built-in-definitions.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { root } from '../../../support/shared.js';

const folder = scratchFolder();

const options = { apiVersion: 'apiextensions.k8s.io/v1' };
const { model } = builtInDefinitions();
const resource = (name: string) => {
  const found = model.resources.find(({ names }) => names.plural === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

describe('a definition for other servers', () => {
  it.each([
    ['of the core group', 'pods', 'pods is of the core group'],
    ['stored as others', 'replicasets', 'is stored as another kind'],
    ['never stored', 'tokenreviews', 'are never stored'],
  ])('is not printed for kinds %s', (_what, plural, problem) => {
    const of = model.resources.find(
      ({ names, storedAs }) => names.plural === plural && (plural !== 'replicasets' || storedAs),
    );
    const exported = of && toCustomResource(of, options);
    expect(exported).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });

  it('lists the parts that it leaves out', () => {
    const exported = toCustomResource(resource('horizontalpodautoscalers'), options);
    expect(exported.ok && exported.leftOut.join()).toContain('x-kindforge-');
    expect(exported.ok && JSON.stringify(exported.definition)).not.toContain('x-kindforge');
  });

  it('has the same schemas, and no errors', () => {
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://a/convert' }, conversionReviewVersions: ['v1'] },
    };
    const native = loadDefinitions(`${root}/examples/conversion/schemas`).model.resources[0];
    const exported = native && toCustomResource(native, { ...options, conversion });
    if (!exported?.ok) throw new Error('there is no definition');
    expect(exported.leftOut).toEqual([]);
    writeFileSync(join(folder, 'crd.yaml'), printDefinition(exported.definition));
    const read = loadDefinitions(folder);
    expect(read.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const [again] = read.model.resources;
    expect(again?.names).toEqual(native?.names);
    expect(again?.versions.map(({ name, served, storage }) => [name, served, storage])).toEqual([
      ['v2', true, true],
      ['v1', true, false],
    ]);
    const spec = (of: typeof native) => of?.versions.map(({ schema }) => schema.properties?.spec);
    expect(spec(again)).toEqual(spec(native));
  });

  it('of built-in kinds passes the checks, unless a key of a list may be missing', () => {
    for (const { group, names, storedAs, virtual } of model.resources) {
      if (!group.includes('.') || storedAs || virtual) continue;
      const exported = toCustomResource(resource(names.plural), options);
      if (exported.ok) writeFileSync(join(folder, 'crd.yaml'), printDefinition(exported.definition));
      const found = loadDefinitions(folder).diagnostics.filter(
        ({ severity, code }) => severity === 'error' && !['KF3016', 'KF3023'].includes(code),
      );
      expect(found.map(({ code, message }) => `${names.plural} ${code} ${message}`)).toEqual([]);
    }
  });
});
