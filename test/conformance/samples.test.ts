/**
 * Serves hundreds of definitions of other projects together, and creates the projects' own sample objects through the
 * API. The results equal a real server's, except for the known differences. Their list may only shrink. The results do
 * not depend on whether the definitions are in files or posted to the running server.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeYaml } from '../../runtime/codec/yaml/yaml.js';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { postDefinition, projectDefinitions, untilEstablished } from '../support/post-definitions.js';
import { startReference } from '../support/reference-server.js';
import type { ListeningServer } from '../support/serving.js';
import { hasShared, root, shared } from '../support/shared.js';

/** The recorded answer of a real server. */
interface Expected {
  readonly file: string;
  readonly code: number;
  readonly warnings: readonly string[];
  readonly object?: JsonObject;
  readonly causes?: readonly { readonly reason: string; readonly message: string; readonly field: string }[];
}

const knownFile = join(root, 'test/conformance/known-sample-differences.json');

/** The time for hundreds of definitions and objects on a busy machine, milliseconds. */
const patience = 600_000;

const starts: readonly (readonly [string, () => Promise<ListeningServer>])[] = [
  ['files', () => startReference({ latest: true, schemas: shared('crds', 'definitions') })],
  ['objects', startWithPosted],
];

/** Starts a server and posts the definitions to it. */
async function startWithPosted(): Promise<ListeningServer> {
  const running = await startReference({ latest: true });
  for (const [file, text] of projectDefinitions()) {
    const { code, body } = await postDefinition(running, text);
    if (code !== 201) throw new Error(`${file}: ${JSON.stringify(body.message)}`);
  }
  await untilEstablished(running);
  return running;
}

describe.skipIf(!hasShared)('samples of other projects (skipped if they are not beside the checkout)', () => {
  describe.each(starts)('with definitions from %s', (_from, start) => {
    let running: ListeningServer;
    beforeAll(async () => {
      running = await start();
    }, patience);
    afterAll(() => running?.stop());

    it('equal the objects of a real server', { timeout: patience }, async () => {
      const rows: Expected[] = readFileSync(shared('crds', 'expected.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const differing = new Map<string, string>();
      for (const row of rows) {
        const found = await create(running, row.file);
        const difference = compare(row, found);
        if (difference !== undefined) differing.set(row.file, difference);
      }
      const agreeing = rows.length - differing.size;
      console.info(`samples: ${agreeing} of ${rows.length} agree`);
      if (process.env.UPDATE_KNOWN)
        writeFileSync(knownFile, `${JSON.stringify(Object.fromEntries(differing), null, 2)}\n`);
      const known: Record<string, string> = JSON.parse(readFileSync(knownFile, 'utf8'));
      expect(
        [...differing].filter(([file]) => !(file in known)),
        'samples that differ and are not listed',
      ).toEqual([]);
      expect(
        Object.keys(known).filter((file) => !differing.has(file)),
        'listed, but they agree: take them off',
      ).toEqual([]);
      expect(agreeing / rows.length).toBeGreaterThan(0.99);
    });
  });
});

/** Posts a sample to its collection, in its namespace or in `default`. */
async function create(running: ListeningServer, file: string): Promise<Expected> {
  const body = new Uint8Array(readFileSync(shared('crds', 'samples', file)));
  const { path, namespace } = placeOf(running, readSample(body));
  if (namespace !== undefined) {
    const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await send(running, '/api/v1/namespaces', JSON.stringify(made), 'application/json');
  }
  // Removes fields that another server has set.
  const text = new TextDecoder().decode(body).replace(/^ {2}resourceVersion: .*\n/m, '');
  const response = await send(running, path, text, 'application/yaml');
  const answer: JsonObject = JSON.parse(await response.text());
  const warnings = [...(response.headers.get('warning') ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map((match) =>
    (match[1] ?? '').replace(/\\(.)/g, '$1'),
  );
  if (response.status === 201) {
    await remove(running, path, answer);
    return { file, code: 201, warnings, object: withoutGenerated(answer) };
  }
  const causes = isObject(answer.details) && Array.isArray(answer.details.causes) ? answer.details.causes : [];
  return { file, code: response.status, warnings, causes: causes.flatMap((cause) => (isCause(cause) ? [cause] : [])) };
}

/** Reads a sample. If it is not YAML, such as a template, returns only its kind, name and namespace. */
function readSample(body: Uint8Array): JsonValue {
  const decoded = decodeYaml(body);
  if (decoded.ok) return decoded.value;
  const text = new TextDecoder().decode(body);
  const fieldAt = (line: RegExp): string | undefined => line.exec(text)?.[1]?.trim();
  const namespace = fieldAt(/^metadata:\n(?: +.*\n)*? {2}namespace: (.*)$/m);
  const placed = namespace === undefined ? {} : { namespace };
  return {
    apiVersion: fieldAt(/^apiVersion: (.*)$/m) ?? '',
    kind: fieldAt(/^kind: (.*)$/m) ?? '',
    metadata: placed,
  };
}

/** Removes the object, so that another sample may have the same name. */
async function remove(running: ListeningServer, collection: string, object: JsonObject): Promise<void> {
  const name = isObject(object.metadata) ? object.metadata.name : undefined;
  const path = `${running.url}${collection}/${String(name)}`;
  const authorization = 'Bearer admintoken';
  if (isObject(object.metadata) && object.metadata.finalizers !== undefined) {
    const headers = { authorization, 'content-type': 'application/merge-patch+json' };
    await fetch(path, { method: 'PATCH', headers, body: '{"metadata":{"finalizers":null}}' });
  }
  await fetch(path, { method: 'DELETE', headers: { authorization } });
}

const isCause = (value: unknown): value is { reason: string; message: string; field: string } => isObject(value);

function send(
  running: ListeningServer,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Response> {
  const headers = { 'content-type': contentType, authorization: 'Bearer admintoken' };
  return fetch(running.url + path, { method: 'POST', body, headers });
}

function placeOf(running: ListeningServer, sample: unknown): { path: string; namespace?: string } {
  if (!isObject(sample) || !isObject(sample.metadata)) throw new Error('a sample is not an object');
  const { apiVersion, kind, metadata } = sample;
  const resource = running.registry.resources.find(
    (one) => one.apiVersion === apiVersion && one.module.names.kind === kind,
  );
  if (!resource) throw new Error(`nothing serves ${String(apiVersion)} ${String(kind)}`);
  const base = `/apis/${resource.apiVersion}`;
  const { plural } = resource.module.names;
  if (resource.module.scope === 'Cluster') return { path: `${base}/${plural}` };
  const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : 'default';
  return { path: `${base}/namespaces/${namespace}/${plural}`, namespace };
}

/** Removes the parts of an object that differ between servers. */
function withoutGenerated(object: JsonObject): JsonObject {
  if (!isObject(object.metadata)) return object;
  const { uid, resourceVersion, creationTimestamp, generation, managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Describes the first difference in a few words. Causes may have any order, because the reference does not sort them.
 */
function compare(expected: Expected, found: Expected): string | undefined {
  if (expected.code !== found.code) return `code: ${expected.code} -> ${found.code}`;
  const warnings = difference('warnings', [...expected.warnings].sort(), [...found.warnings].sort());
  if (warnings !== undefined) return warnings;
  if (expected.object && found.object) return difference('object', named(expected.object), named(found.object));
  const causes = ({ causes: all = [] }: Expected): string[] =>
    all.map(({ field, reason, message }) => `${field} ${reason} ${message}`).sort();
  return difference('causes', causes(expected), causes(found));
}

/** Replaces the last characters of generated names. */
function named(object: JsonObject): JsonObject {
  if (!isObject(object.metadata) || object.metadata.generateName === undefined) return object;
  const { name, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function difference(path: string, expected: unknown, found: unknown): string | undefined {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length !== found.length) {
    return `${path}: ${brief(expected)} -> ${brief(found)}`;
  }
  if (typeof expected !== 'object' || typeof found !== 'object' || expected === null || found === null) {
    return Object.is(expected, found) ? undefined : `${path}: ${brief(expected)} -> ${brief(found)}`;
  }
  const left = new Map<string, unknown>(Object.entries(expected));
  const right = new Map<string, unknown>(Object.entries(found));
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const inner = difference(`${path}.${key}`, left.get(key), right.get(key));
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const brief = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 200);
