/** A document of every kind of release 1.27, built from facts about them, becomes definitions without a mistake. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import { printDiagnostic } from '../../../../generator/diagnostics/print.js';
import { importOpenApi, printDefinition } from '../../../../generator/import/index.js';
import type { Model } from '../../../../generator/model/model.js';
import { buildOpenApiV2, kubernetesNaming } from '../../../../runtime/schema/openapi/index.js';
import { differences } from '../../../support/differences.js';
import { testFolder } from '../../../support/scratch-folder.js';
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

/** Returns resources in the form of discovery: the facts of each definition, and its versions. */
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

interface Definition {
  readonly type?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, object>>;
}

/** Calls the importer with the document, and reads the result as definitions. */
function imported(): ReturnType<typeof loadDefinitions> {
  const { files, errors } = importOpenApi([JSON.parse(JSON.stringify(documentOf(read('operations-1.27.json'))))]);
  expect(errors).toEqual([]);
  return loadDefinitions(
    testFolder(Object.fromEntries(files.map(({ path, value }) => [path, printDefinition(value)]))),
  );
}

/** Returns the definitions of a document that is built from a model, under Kubernetes names. */
function definitionsOf({ resources, types }: Model): Readonly<Record<string, Definition>> {
  const documented = resources.flatMap((resource) =>
    resource.versions.map((version) => ({ ...resource, ...version, version: version.name })),
  );
  const schemas = new Map([...types].map(([name, { schema }]) => [name, schema]));
  const options = { naming: kubernetesNaming, title: 'Kindforge', version: 'unversioned', types: schemas };
  return JSON.parse(JSON.stringify(buildOpenApiV2(documented, options).definitions));
}

/** Returns a definition without texts and with sorted keys, to compare it with facts, which have no texts. */
function wordless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wordless);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => key !== 'description' || typeof each !== 'string');
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, wordless(each)]));
}

/** The parts that an import changes. */
const explained = [
  { reason: 'an enum has each value once', difference: /\/enum\/\d: "(Cluster|Local)" → / },
  {
    reason: 'a type does not hold itself',
    difference: /\.JSONSchemaProps\/.*\/\$ref: ".*\.JSONSchemaProps" → undefined$/,
  },
  { reason: 'unions say nothing that a server checks', difference: /\/x-kubernetes-unions: .* → undefined$/ },
  {
    reason: 'what has no type or no fields keeps everything',
    difference: /\/x-kubernetes-preserve-unknown-fields: undefined → true$/,
  },
  {
    reason: 'types that keep everything are written without a type',
    difference: /\.(StorageVersionSpec|CustomResourceSubresourceStatus)\/type: "object" → undefined$/,
  },
  { reason: 'lists are the same for all kinds', difference: /List\/(required|properties\/items\/x-kubernetes-list-)/ },
  {
    reason: 'these types belong to subresources that are left out',
    difference:
      /^io\.k8s\.api\.(authentication\.v1\.(BoundObject|TokenRequest)|policy\.v1\.Eviction)\S*: .* → undefined$/,
  },
  {
    reason: 'meta kinds are registered in the groups that are served',
    difference: /\.meta\.v1\.(DeleteOptions|Status|WatchEvent)\/x-kubernetes-group-version-kind/,
  },
  {
    reason: 'documents have the meta types of the latest release',
    difference: /^io\.k8s\.apimachinery\.pkg\.(apis\.meta\.v1|version)\.\w+\/properties\//,
  },
];

describe.skipIf(!hasShared)(
  `the kinds of 1.27${hasShared ? '' : ' (skipped: the facts about them are not here)'}`,
  () => {
    it('are imported with the scope, verbs and versions of discovery', () => {
      const { model, diagnostics } = imported();
      // Documents do not have conversions between versions. The import reports the fields that differ.
      const undeclared = diagnostics.filter(({ code }) => code === 'KF4034');
      expect([...new Set(undeclared.map(({ file }) => file))]).toEqual([
        'autoscaling/horizontalpodautoscalers.yaml',
        'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations.yaml',
      ]);
      // One version requires a field that another may lack.
      const required = diagnostics.filter(({ code }) => code === 'KF4036');
      expect([...new Set(required.map(({ file }) => file))]).toEqual(['autoscaling/horizontalpodautoscalers.yaml']);
      const known = [...undeclared, ...required];
      expect(diagnostics.filter((each) => !known.includes(each)).map(printDiagnostic)).toEqual([]);
      const resources = model.resources.map(({ group, names, scope, verbs, versions }) => {
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
      expect(Object.fromEntries(resources)).toEqual(Object.fromEntries(expected));
    }, 300_000);

    it('have their former types', () => {
      const before = read<Readonly<Record<string, Definition>>>('types-1.27.json');
      const after = definitionsOf(imported().model);
      const found = Object.keys(before).flatMap((id) => differences(wordless(before[id]), wordless(after[id]), id));
      expect(found.filter((each) => !explained.some(({ difference }) => difference.test(each)))).toEqual([]);
      for (const { reason, difference } of explained) {
        expect(found.filter((each) => difference.test(each)).length, reason).toBeGreaterThan(0);
      }
    }, 300_000);
  },
);
