/** Posts definitions to a running server, and waits until they take effect. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isTrue } from '../../runtime/objects/definition-conditions.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { ListeningServer } from './serving.js';
import { shared } from './shared.js';

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const authorization = 'Bearer admintoken';

/** Reads the definitions of other projects, as texts by path. */
export function projectDefinitions(): ReadonlyMap<string, string> {
  const folder = shared('crds', 'definitions');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** Posts a definition. Resolves to the code and object of the answer. */
export async function postDefinition(
  { url }: ListeningServer,
  text: string,
): Promise<{ readonly code: number; readonly body: JsonObject }> {
  const response = await fetch(url + collection, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/yaml', authorization },
  });
  return { code: response.status, body: await response.json() };
}

/** Lists the definitions that are not established, by name. */
export async function notEstablished({ url }: ListeningServer): Promise<readonly string[]> {
  const response = await fetch(url + collection, { headers: { authorization } });
  const { items }: JsonObject = await response.json();
  const definitions = isArray(items) ? items.filter(isObject) : [];
  return definitions
    .filter((definition) => !isTrue(objectAt(definition, 'status'), 'Established'))
    .map((definition) => stringAt(objectAt(definition, 'metadata'), 'name'));
}

/** Waits until all definitions are established. */
export async function untilEstablished(running: ListeningServer): Promise<void> {
  while ((await notEstablished(running)).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
}
