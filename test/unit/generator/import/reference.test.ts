/** A document of every kind of release 1.27, put together from the facts about it, becomes definitions without a mistake. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printDiagnostic } from '../../../../generator/diagnostics/print.js';
import { importOpenApi, printDefinition } from '../../../../generator/import/index.js';
import { loadDefinitions } from '../../../../generator/load-definitions.js';
import { hasShared, shared } from '../../../support/shared.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly gvk?: object;
  readonly action?: string;
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Record<string, string | null>>;
}

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

const read = <T>(name: string): T => {
  const value: T = JSON.parse(readFileSync(shared('reference', name), 'utf8'));
  return value;
};

function documentOf(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, gvk, action, parameters = [], responses } of operations) {
    const item = paths[path] ?? {};
    paths[path] = item;
    item[method.toLowerCase()] = {
      parameters,
      responses: Object.fromEntries(Object.entries(responses).map(([code, type]) => [code, schemaOf(type)])),
      ...(gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': gvk }),
      ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    };
  }
  return { swagger: '2.0', paths, definitions: read<object>('types-1.27.json') };
}

const schemaOf = (type: string | null) =>
  type === null ? {} : { schema: type.includes('.') ? { $ref: `#/definitions/${type}` } : { type } };

/** Resources as discovery has them: what a definition says of each, and its versions. */
function discovered(): Map<string, { namespaced: boolean; verbs: string[]; versions: string[] }> {
  const found = new Map<string, { namespaced: boolean; verbs: string[]; versions: string[] }>();
  for (const { groupVersion, resources } of read<readonly ResourceList[]>('discovery-1.27.json')) {
    const [version = '', group = ''] = groupVersion.split('/').reverse();
    for (const { name, namespaced, verbs } of resources.filter((each) => !each.name.includes('/'))) {
      const key = `${group}/${name}`;
      const known = found.get(key) ?? { namespaced, verbs: [], versions: [] };
      found.set(key, known);
      known.versions.push(version);
      known.verbs = [...new Set([...known.verbs, ...verbs])].sort();
    }
  }
  return found;
}

describe.skipIf(!hasShared)(
  `the kinds of 1.27${hasShared ? '' : ' (skipped: the facts about it are not there)'}`,
  () => {
    it('are imported with the scope, verbs and versions that discovery has', () => {
      const { files, errors } = importOpenApi([JSON.parse(JSON.stringify(documentOf(read('operations-1.27.json'))))]);
      expect(errors).toEqual([]);
      const folder = mkdtempSync(join(tmpdir(), 'kindforge-reference-'));
      for (const { path, value } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), printDefinition(value));
      }
      const { model, diagnostics } = loadDefinitions(folder);
      rmSync(folder, { recursive: true, force: true });
      expect(diagnostics.map(printDiagnostic)).toEqual([]);
      const imported = model.resources.map(({ group, names, scope, verbs, versions }) => {
        const said = {
          namespaced: scope === 'Namespaced',
          verbs: [...verbs].sort(),
          versions: versions.map(({ name }) => name).sort(),
        };
        return [`${group}/${names.plural}`, said] as const;
      });
      const expected = [...discovered()].map(([key, { versions, ...said }]) => [
        key,
        { ...said, versions: versions.sort() },
      ]);
      expect(Object.fromEntries(imported)).toEqual(Object.fromEntries(expected));
    }, 60_000);
  },
);
